import type { IBinaryData } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { ADDRESS_FIELD, FILE_FIELD } from '../fields/image';
import { asRecord } from '../values/asRecord';
import { quote } from '../values/text';
import { isWebAddress } from '../values/webAddress';
import { addressesIn } from './addressesIn';
import { imageInBase64, imageInDataAddress } from './fileObjects';
import type { Item } from './item';
import { fileInValue, type ItemFiles } from './itemFiles';

/** An image that a value selects, before its first bytes are read; or a value that selects none. */
export type Selected =
	| { kind: 'file'; source: string; file: IBinaryData }
	| { kind: 'address'; source: string }
	| { kind: 'none'; source: string; value: unknown };

/** A field that selects images of an item. */
export interface ImageField extends Item {
	field: typeof FILE_FIELD | typeof ADDRESS_FIELD;
	files: ItemFiles;
}

/**
 * Returns the images that a value selects; undefined if it does not understand the value.
 * @param depth Lists and objects around it.
 */
type Reader = (value: unknown, field: ImageField, depth: number) => Selected[] | undefined;

/** The most images that one value may select. */
const MOST_IMAGES = 1000;

/** Lists and objects in one another that are searched. */
const DEEPEST = 8;

/** A longer text is no list of names; in characters. */
const LONGEST_NAMES = 10_000;

/** Characters of a text that may be JSON, or that is searched for addresses. */
const LONGEST_TEXT = 200_000;

/** The name of a field, or several with commas. A name may have commas, or spaces at its ends, if there is such a field. */
const fieldNames: Reader = (value, { files }) => {
	if (typeof value !== 'string' || value.length > LONGEST_NAMES) return undefined;
	const isWhole = fileNamed(files, value) !== undefined;
	const names = isWhole ? [value] : value.split(',').map((name) => name.trim());
	const found = names.map((name): Selected => {
		const file = fileNamed(files, name);
		return file === undefined
			? { kind: 'none', source: name, value: name }
			: { kind: 'file', source: name, file };
	});
	if (found.every(({ kind }) => kind === 'none')) return undefined;
	if (!names.includes('')) return found;
	throw new BadInput(
		`'${FILE_FIELD}' is ${quote(value)}, which contains an empty name.`,
		'Separate the names with single commas.',
	);
};

/** If binaryMode is combined, `_files.photo` is n8n's own name for the file `photo`. */
function fileNamed(files: ItemFiles, name: string): IBinaryData | undefined {
	const short = name.replace(/^_files\./, '');
	const [, file] = files.find(([field]) => field === name || field === short) ?? [];
	return file;
}

/** An object that is a file: one of n8n's, a `Buffer`, or base64 with its type. */
const file: Reader = (value, field) => {
	const found = fileInValue(field, field.files, value);
	return found && [{ kind: 'file', source: found.fileName ?? 'file', file: found }];
};

const dataAddress: Reader = (value) => pasted(value, imageInDataAddress);

const base64: Reader = (value) => pasted(value, imageInBase64);

function pasted(value: unknown, imageIn: typeof imageInBase64): Selected[] | undefined {
	if (typeof value !== 'string') return undefined;
	const found = imageIn(value);
	return found && [{ kind: 'file', source: value, file: found }];
}

/** The list or the object that a text holds as JSON. */
const json: Reader = (value, field, depth) => {
	if (typeof value !== 'string' || value.length > LONGEST_TEXT || depth > DEEPEST) return undefined;
	const parsed = parsedJson(value);
	return parsed === undefined ? undefined : select(parsed, field, depth + 1);
};

function parsedJson(text: string): unknown {
	if (!/^\s*[[{][^]*[\]}]\s*$/.test(text)) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Each different entry of a list by itself. */
const list: Reader = (value, field, depth) => {
	if (!Array.isArray(value) || depth > DEEPEST) return undefined;
	return atMost(field, inList(value, field, depth));
};

function* inList(entries: unknown[], field: ImageField, depth: number): Generator<Selected> {
	for (const entry of different(entries)) yield* select(entry, field, depth + 1);
}

/** Each value once, read one by one: the rest of a long list may not be needed. */
function* different<T>(values: Iterable<T>): Generator<T> {
	const seen = new Set<T>();
	for (const value of values) {
		if (seen.has(value)) continue;
		seen.add(value);
		yield value;
	}
}

/** Where objects have the address of a picture: the first of these that has one counts. Pages come last. */
const KEYS = [
	'output_url',
	'src',
	'source_url',
	'image_url',
	'image',
	'images',
	'file_url',
	'file',
	'external',
	'data',
	'url',
	'href',
	'link',
];

/** Where objects have the type of their file, and types of files that are no images. */
const TYPE_KEYS = ['type', 'mimeType', 'mime_type', 'contentType'];
const OTHER_TYPE = /^(?:application\/(?!octet-stream)|audio\/|text\/|video\/)/i;

/** An object that has the addresses of pictures. */
const object: Reader = (value, field, depth) => {
	if (typeof value !== 'object' || depth > DEEPEST) return undefined;
	const properties = asRecord(value);
	const type = TYPE_KEYS.map((key) => properties[key]).find(isOtherType);
	if (type !== undefined) {
		throw new BadInput(
			`'${ADDRESS_FIELD}' contains a file of the type ${quote(type)}, which is not an image.`,
			"Leave such files out, as in {{ $json.Photos.filter((file) => file.type.startsWith('image/')) }}.",
		);
	}
	for (const key of KEYS) {
		const found = select(properties[key], field, depth + 1).filter(({ kind }) => kind !== 'none');
		// Beside its address, an object may have the name of its file.
		if (found.some(({ kind, source }) => kind === 'file' || isWebAddress(source))) return found;
	}
	return undefined;
};

function isOtherType(type: unknown): boolean {
	return typeof type === 'string' && OTHER_TYPE.test(type);
}

/** The different addresses in a text. */
const addresses: Reader = (value, field, depth) => {
	if (typeof value !== 'string') return undefined;
	if (value.length <= LONGEST_TEXT) return atMost(field, inText(value, field));
	if (depth > 0) return undefined;
	const length = value.length.toLocaleString('en');
	throw new BadInput(
		`'${ADDRESS_FIELD}' is a text of ${length} characters, which is too long to search for addresses.`,
		'Use an expression that returns the address, such as {{ $json.url }}.',
	);
};

function* inText(text: string, field: ImageField): Generator<Selected> {
	for (const address of different(addressesIn(text))) {
		yield* dataAddress(address, field, 0) ?? [{ kind: 'address', source: address }];
	}
}

/** @returns undefined if there are none. @throws BadInput if there are too many; the rest is not read. */
function atMost({ field }: ImageField, all: Iterable<Selected>): Selected[] | undefined {
	const found: Selected[] = [];
	for (const each of all) {
		found.push(each);
		if (found.length <= MOST_IMAGES) continue;
		throw new BadInput(
			`'${field}' selects more than ${MOST_IMAGES.toLocaleString('en')} images.`,
			'Use several items, with fewer images each.',
		);
	}
	return found.length > 0 ? found : undefined;
}

/** The readers of each field, in their order: the first that understands a value wins. */
const READERS: Record<ImageField['field'], readonly Reader[]> = {
	[FILE_FIELD]: [fieldNames, file, dataAddress, base64, json, list],
	[ADDRESS_FIELD]: [dataAddress, base64, json, list, object, addresses],
};

/** The images that a value selects. One that no reader understands is returned as it is. */
export function select(value: unknown, field: ImageField, depth = 0): Selected[] {
	for (const reader of READERS[field.field]) {
		const found = reader(value, field, depth);
		if (found !== undefined) return found;
	}
	return [{ kind: 'none', source: typeof value === 'string' ? value : 'file', value }];
}
