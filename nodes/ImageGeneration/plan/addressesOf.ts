import { BadInput } from '../failures/failures';
import { ADDRESS_FIELD } from '../fields/image';
import { asRecord } from '../values/asRecord';
import { quote } from '../values/text';
import { addressesIn } from './addressesIn';
import { imageInDataAddress } from './pastedImage';

/** Where objects have the address of a picture: the first of these that has one counts. Pages come last. */
const KEYS = [
	'output_url',
	'src',
	'source_url',
	'image_url',
	'image_link',
	'image',
	'images',
	'cover',
	'enclosure',
	'external',
	'file',
	'edges',
	'node',
	'data',
	'url',
	'thumbnail',
	'href',
	'link',
];

/** Where objects have the type of their file, and types of files that are no images. */
const TYPE_KEYS = ['type', 'mimeType', 'mime_type', 'contentType'];
const OTHER_TYPE = /^(?:application\/(?!octet-stream)|audio\/|text\/|video\/)/i;

/** Objects in objects that are searched. */
const DEEPEST = 8;

/** Characters of a text that is searched for addresses. */
const LONGEST_TEXT = 500_000;

/** The most images that one value may select. */
export const MOST_IMAGES = 1000;

/**
 * The different addresses that a text or an object holds, in order; none if it has none.
 * @throws BadInput if it is too long, or names a file that is no image by its type.
 */
export function addressesOf(value: unknown): string[] {
	const found = new Set<string>();
	for (const address of addressesWithin(value)) {
		found.add(address);
		if (found.size > MOST_IMAGES) throw tooMany(ADDRESS_FIELD);
	}
	return [...found];
}

export function tooMany(field: string): BadInput {
	return new BadInput(
		`'${field}' selects more than ${MOST_IMAGES.toLocaleString('en')} images.`,
		'Use several items, with fewer images each.',
	);
}

function* addressesWithin(value: unknown, depth = 0): Generator<string> {
	if (depth > DEEPEST) return;
	if (typeof value === 'string') yield* addressesInText(value, depth);
	else if (Array.isArray(value)) yield* addressesInList(value, depth);
	else if (typeof value === 'object') yield* addressesInObject(asRecord(value), depth);
}

function* addressesInList(list: unknown[], depth: number): Generator<string> {
	for (const one of list.slice(0, MOST_IMAGES + 1)) yield* addressesWithin(one, depth + 1);
}

function* addressesInText(text: string, depth: number): Generator<string> {
	if (imageInDataAddress(text) !== undefined) {
		yield text;
		return;
	}
	if (text.length > LONGEST_TEXT) {
		if (depth > 0) return;
		const length = text.length.toLocaleString('en');
		throw new BadInput(
			`'${ADDRESS_FIELD}' is a text of ${length} characters, which is too long to search for addresses.`,
			'Use an expression that returns the address, such as {{ $json.url }}.',
		);
	}
	const json = jsonIn(text);
	if (json === undefined) yield* addressesIn(text);
	else yield* addressesWithin(json, depth + 1);
}

/** A list or an object that a text holds as JSON. */
export function jsonIn(text: string): unknown {
	if (text.length > LONGEST_TEXT || !/^\s*[[{][^]*[\]}]\s*$/.test(text)) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function isOtherType(type: unknown): boolean {
	return typeof type === 'string' && OTHER_TYPE.test(type);
}

function* addressesInObject(object: Record<string, unknown>, depth: number): Generator<string> {
	const type = TYPE_KEYS.map((key) => object[key]).find(isOtherType);
	if (type !== undefined) {
		throw new BadInput(
			`'${ADDRESS_FIELD}' contains a file of the type ${quote(type)}, which is not an image.`,
			"Leave such files out, as in {{ $json.Photos.filter((file) => file.type.startsWith('image/')) }}.",
		);
	}
	for (const key of KEYS) {
		const found = [...addressesWithin(object[key], depth + 1)];
		if (found.length > 0) {
			yield* found;
			return;
		}
	}
}
