import { BadInput } from '../failures/failures';
import { ADDRESS_FIELD } from '../fields/image';
import { requiredText } from '../fields/readValue';
import { asRecord } from '../values/asRecord';
import { quote } from '../values/text';
import { beginsLikeWebAddress } from '../values/webAddress';
import { addressesIn, isPastedImage } from './addressesIn';
import { isOfImage } from './webAddress';

/** Where this node's output has its address. */
const RESULT_KEY = 'output_url';

/** Where objects mostly have the address of a page. */
const PAGE_KEYS = ['href', 'link'];

/** Where objects have an address, those of pages last. */
const ADDRESS_KEYS = [RESULT_KEY, 'url', 'src', 'source_url', ...PAGE_KEYS];

/** Names of fields with a picture of what an object is about, such as a product or an article. */
const PICTURE_FIELD = /image|img|photo(?!graph)|picture|cover|media|enclosure|thumb|^src$/i;

/** Names of fields with a small copy of a picture, with another one, or with a page about it. */
const OTHER_FIELD =
	/thumb|preview|icon|avatar|logo|original|input|mask|author|credit|license|page|social/i;

/** Where objects have the type of their file. */
const TYPE_KEYS = ['type', 'mimeType', 'mimetype', 'mime_type', 'contentType', 'content_type'];

/** Types of files that are no images. */
const OTHER_TYPE = /^(?:application\/(?!octet-stream)|audio\/|text\/|video\/)/i;

/** Objects in objects that are searched. */
const DEEPEST = 8;

/**
 * The different addresses that the value of 'Image URL' holds, in order.
 * @param value Text, an object, or a list of these.
 * @returns one address, or a list of them.
 * @throws BadInput if there is none.
 */
export function addressesOf(value: unknown): string | string[] {
	if (Array.isArray(value)) return unique(value.flatMap(addressesOfEntry));
	const entries =
		typeof value === 'object' && value !== null
			? addressesOfEntry(value)
			: addressesOfText(requiredText(ADDRESS_FIELD, value));
	const addresses = unique(entries);
	return addresses.length > 1 ? addresses : addresses.join();
}

function unique(addresses: string[]): string[] {
	return [...new Set(addresses)];
}

/** The addresses of text, which may be JSON. Without any, it is refused as one. */
function addressesOfText(text: string): string[] {
	const parsed = parseJson(text);
	if (Array.isArray(parsed) && parsed.length > 0) return parsed.flatMap(addressesOfEntry);
	const addresses = parsed === undefined ? addressesIn(text) : addressesWithin(parsed).meant;
	return addresses.length > 0 ? addresses : [text];
}

/** @throws BadInput if the entry of a list is neither text nor an object with an address. */
function addressesOfEntry(entry: unknown): string[] {
	if (typeof entry === 'string') return addressesOfText(entry);
	const { meant } = addressesWithin(entry);
	if (meant.length > 0) return meant;
	const type = otherTypeOf(asRecord(entry));
	if (type !== undefined) {
		throw new BadInput(
			`'${ADDRESS_FIELD}' contains a file of the type ${quote(type)}, which is not an image.`,
			"Leave such files out, as in {{ $json.Photos.filter((file) => file.type.startsWith('image/')) }}.",
		);
	}
	throw new BadInput(
		`'${ADDRESS_FIELD}' contains ${quote(entry)}, in which no address of an image is clear.`,
		"Use an expression that returns the address, such as {{ $json.url }}. For files, set 'Image Source' to 'File From an Earlier Node'.",
	);
}

/** The addresses that a value from JSON holds. */
interface Addresses {
	all: string[];
	/** Those that are meant; none if that is not clear. */
	meant: string[];
}

/** A field of an object that holds addresses. */
interface AddressField extends Addresses {
	name: string;
	isText: boolean;
}

/** The whole addresses in any value from JSON. */
function addressesWithin(value: unknown, depth = 0): Addresses {
	if (typeof value === 'string') {
		const all = addressesIn(value).filter(isWhole);
		return { all, meant: all };
	}
	if (depth > DEEPEST) return { all: [], meant: [] };
	if (Array.isArray(value)) {
		const entries = value.map((entry) => addressesWithin(entry, depth + 1));
		return {
			all: entries.flatMap(({ all }) => all),
			meant: entries.flatMap(({ meant }) => meant),
		};
	}
	const object = asRecord(value);
	const fields = Object.entries(object)
		.map(([name, field]) => ({
			name,
			isText: typeof field === 'string',
			...addressesWithin(field, depth + 1),
		}))
		.filter(({ all }) => all.length > 0);
	return {
		all: fields.flatMap(({ all }) => all),
		meant: otherTypeOf(object) === undefined ? picturesAmong(fields) : [],
	};
}

/** The type of an object's file if that is not an image. */
function otherTypeOf(object: Record<string, unknown>): string | undefined {
	return TYPE_KEYS.map((key) => object[key])
		.filter((type) => typeof type === 'string')
		.find((type) => OTHER_TYPE.test(type));
}

/** The addresses of the pictures that an object is about. Beside them may be that of a page. */
function picturesAmong(fields: readonly AddressField[]): string[] {
	const own = ADDRESS_KEYS.flatMap((key) =>
		fields.filter(({ name, isText }) => isText && name === key),
	);
	const [sure] = [
		...own.filter(({ name }) => name === RESULT_KEY),
		...own.filter(({ all }) => isOfImage(all[0])),
		...own.filter(({ name }) => name === 'src'),
	];
	if (sure !== undefined) return sure.meant;
	const others = fields.filter((field) => !own.includes(field));
	const [unsure] = own;
	if (unsure === undefined) return onlyAddresses(others);
	const main = others.filter(({ name }) => PICTURE_FIELD.test(name) && !OTHER_FIELD.test(name));
	if (main.length > 0) return onlyAddresses(main);
	const pictures = PAGE_KEYS.includes(unsure.name) ? others.filter(isPicture) : [];
	return pictures.length > 0 ? onlyAddresses(pictures) : unsure.meant;
}

function isPicture({ name, all }: AddressField): boolean {
	return PICTURE_FIELD.test(name) || all.some(isOfImage);
}

/** The addresses of a single field, such as `{ file: { url } }`. Fields with the same addresses count as one. */
function onlyAddresses(fields: readonly AddressField[]): string[] {
	const clear = fields.map(({ meant }) => meant).filter(({ length }) => length > 0);
	const [found = []] = clear;
	if (new Set(clear.map((addresses) => addresses.join('\n'))).size > 1) return [];
	return clear.length === fields.length || isOfImage(found[0]) ? found : [];
}

function isWhole(address: string): boolean {
	return beginsLikeWebAddress(address) || isPastedImage(address);
}

/** A list or an object that a text holds as JSON. */
function parseJson(text: string): unknown {
	if (!/^\s*[[{]/.test(text)) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
