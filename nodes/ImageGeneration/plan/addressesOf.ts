import { BadInput } from '../failures/failures';
import { ADDRESS_FIELD } from '../fields/image';
import { requiredText } from '../fields/readValue';
import { IMAGE_EXTENSION } from '../images/imageType';
import { asRecord } from '../values/asRecord';
import { quote } from '../values/text';
import { beginsLikeWebAddress } from '../values/webAddress';
import { addressesIn, isPastedImage } from './addressesIn';

/** Where objects have their address. Those of pages come last. */
const ADDRESS_KEYS = ['url', 'src', 'output_url', 'source_url', 'href', 'link'];

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
	const addresses = parsed === undefined ? addressesIn(text) : addressesWithin(parsed);
	return addresses.length > 0 ? addresses : [text];
}

/** @throws BadInput if the entry of a list is neither text nor an object with an address. */
function addressesOfEntry(entry: unknown): string[] {
	if (typeof entry === 'string') return addressesOfText(entry);
	const addresses = addressesWithin(entry);
	if (addresses.length > 0) return addresses;
	throw new BadInput(
		`'${ADDRESS_FIELD}' contains ${quote(entry)}, in which no address of an image is clear.`,
		"Use an expression that returns the address, such as {{ $json.url }}. For files, set 'Image Source' to 'File From an Earlier Node'.",
	);
}

/** The whole addresses in any value from JSON. */
function addressesWithin(value: unknown, depth = 0): string[] {
	if (typeof value === 'string') return addressesIn(value).filter(isWhole);
	if (depth > DEEPEST) return [];
	if (Array.isArray(value)) return value.flatMap((entry) => addressesWithin(entry, depth + 1));
	const object = asRecord(value);
	const named = ADDRESS_KEYS.map((key) => object[key])
		.filter((text) => typeof text === 'string')
		.map((text) => addressesWithin(text))
		.filter((addresses) => addresses.length > 0);
	// A picture's address beside that of its page.
	const [chosen] = [...named.filter(isOfImage), ...named];
	return chosen ?? onlyAddresses(object, depth);
}

function isWhole(address: string): boolean {
	return beginsLikeWebAddress(address) || isPastedImage(address);
}

/** Whether an address ends like the file of an image. */
function isOfImage([address = '']: string[]): boolean {
	return IMAGE_EXTENSION.test(address.split(/[?#]/, 1).join('').slice(-20));
}

/** The addresses in an object's only field that has any, such as `{ file: { url } }`. */
function onlyAddresses(object: Record<string, unknown>, depth: number): string[] {
	const [found = [], ...others] = Object.values(object)
		.map((field) => addressesWithin(field, depth + 1))
		.filter((addresses) => addresses.length > 0);
	return others.length === 0 ? found : [];
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
