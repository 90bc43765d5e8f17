import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';
import { ADDRESS_FIELD } from '../fields/image';
import { notAllowed, requiredText } from '../fields/readValue';
import { beginsLikeImage, isDataUrl } from './pastedImage';

const QUOTES = '"\'“”„‘’«»`';
const OPENING = new RegExp(`^[${QUOTES}<]+`);
// The lookbehinds avoid quadratic time in a run of such characters.
const CLOSING = new RegExp(`(?<![${QUOTES}>,;])[${QUOTES}>,;]+$`);
// The base64 of a data: address may begin on the next line.
const TRAILING = /(?<!base64|[,;])[,;]+$/i;

/** Where another address begins, which may be quoted. */
const NEXT = `(?=[${QUOTES}<]*(?:https?://|data:))`;
const SEPARATOR = new RegExp(`(?<![\\s,;])[\\s,;]+${NEXT}`, 'i');
const SPACE = new RegExp(`(?<!\\s)\\s+${NEXT}`, 'i');

/** Whether a text begins like a web address. */
export function isWebAddress(text: string): boolean {
	return /^https?:\/\//i.test(text);
}

/** Whether a text is an image itself: a `data:` address, or base64. */
export function isPastedImage(text: string): boolean {
	return isDataUrl(text) || beginsLikeImage(text);
}

/**
 * The different addresses that 'Image URL' names.
 * @param value Text, or a list from an expression.
 * @returns one address, or a list of them.
 * @throws BadInput if there is none, or if an entry of a list is not text.
 */
export function addressesOf(value: unknown): string | string[] {
	if (!Array.isArray(value)) {
		const addresses = addressesIn(requiredText(ADDRESS_FIELD, value));
		return addresses.length > 1 ? addresses : addresses.join();
	}
	const addresses = value.flatMap((entry: unknown) => {
		if (typeof entry === 'string') return addressesIn(entry);
		throw new BadInput(
			`'${ADDRESS_FIELD}' contains ${quote(entry)}, which is not text.`,
			"List only addresses. For files, set 'Image Source' to 'File From an Earlier Node'.",
		);
	});
	return [...new Set(addresses)];
}

/**
 * The different addresses in text: on lines of their own, or separated by spaces, commas or semicolons.
 * Quotes around an address are not part of it. Base64 may be wrapped, so a line without a scheme continues
 * the image before it.
 */
export function addressesIn(text: string): string[] {
	const found: Array<{ isImage: boolean; lines: string[] }> = [];
	for (const line of text.split(/[\r\n]+/).map((part) => part.trim())) {
		const last = found.at(-1);
		if (last?.isImage === true && !hasScheme(line)) {
			last.lines.push(line);
			continue;
		}
		for (const address of addressesInLine(line)) {
			found.push({ isImage: isPastedImage(address), lines: [address] });
		}
	}
	const addresses = found.map(({ lines }) => lines.join('')).filter((address) => address !== '');
	return [...new Set(addresses)];
}

function addressesInLine(line: string): string[] {
	// In anything else, commas and spaces may be part of it.
	if (!hasScheme(line)) return [line];
	const [first = ''] = line.split(SEPARATOR, 1);
	return line.split(hasNested(first) ? SPACE : SEPARATOR).map(withoutQuotes);
}

/** Whether the query of an address contains another one: it may take a list of them, with commas. */
function hasNested(address: string): boolean {
	const query = address.indexOf('?');
	return query >= 0 && /=https?:\/\//i.test(address.slice(query));
}

function hasScheme(line: string): boolean {
	const text = line.replace(OPENING, '');
	return isWebAddress(text) || isDataUrl(text);
}

function withoutQuotes(address: string): string {
	const plain = address.replace(TRAILING, '');
	return OPENING.test(plain) ? plain.replace(OPENING, '').replace(CLOSING, '') : plain;
}

/**
 * Checks a web address.
 * @param serviceHost The host of the service, which downloads the image.
 * @returns the last part of its path, which names the image.
 * @throws BadInput if the service can't open it, or finds a web page there instead of an image.
 */
export function readWebAddress(address: string, serviceHost: string): string {
	// URL parsers also accept "http:/x", which a service may reject.
	if (!isWebAddress(address) || !URL.canParse(address)) {
		throw notAllowed(
			`'${ADDRESS_FIELD}'`,
			address,
			'a full address starting with http:// or https://',
			"Enter the full address. For a file, set 'Image Source' to 'File From an Earlier Node'.",
		);
	}
	const url = new URL(address);
	if (isLoopback(url.hostname) && !isNearby(serviceHost)) {
		throw new BadInput(
			`'${ADDRESS_FIELD}' is ${quote(address)}. Only this machine can open that address, but the service downloads the image.`,
			"Get the image with an HTTP Request node first, and set 'Image Source' to 'File From an Earlier Node'.",
		);
	}
	const node = nodeForPage(url);
	if (node !== undefined) {
		throw new BadInput(
			`'${ADDRESS_FIELD}' is ${quote(address)}. That is a web page that shows a file, not the file.`,
			`Download the file with a ${node} node first, and set 'Image Source' to 'File From an Earlier Node'.`,
		);
	}
	return nameIn(url);
}

function nameIn({ pathname }: URL): string {
	const name = pathname.split('/').pop() ?? '';
	try {
		return decodeURIComponent(name);
	} catch {
		// The name contains a literal percent sign.
		return name;
	}
}

/** Whether a host, as a parsed address has it, is the machine itself. */
function isLoopback(host: string): boolean {
	return (
		/^(?:.+\.)?localhost\.?$/.test(host) ||
		/^127\.\d+\.\d+\.\d+$|^0\.0\.0\.0$/.test(host) ||
		/^\[::(?:1|ffff:7f[\da-f]{2}:[\da-f]+)?\]$/.test(host)
	);
}

/** Whether a service may be on this machine or on one beside it: then it may know the address after all. */
function isNearby(host: string): boolean {
	return (
		isLoopback(host) ||
		/^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host) ||
		/^\[f[cde]/.test(host) ||
		/^[^.[]+$|\.(?:local|internal|lan|home|test)$/.test(host)
	);
}

/** The n8n node that downloads the file that a sharing page shows; undefined if it is no such page. */
function nodeForPage({ hostname, pathname, searchParams }: URL): string | undefined {
	const host = hostname.replace(/^www\./, '');
	if (host === 'drive.google.com' && /^\/(?:file\/|open$|drive\/)/.test(pathname)) {
		return 'Google Drive';
	}
	const isDropbox = host === 'dropbox.com' && searchParams.get('dl') === '0';
	if (isDropbox && searchParams.get('raw') !== '1') return 'Dropbox';
	const isDownload = pathname.startsWith('/download') || searchParams.get('download') === '1';
	if (host === '1drv.ms' || (host === 'onedrive.live.com' && !isDownload)) {
		return 'Microsoft OneDrive';
	}
	const isSharePoint = host.endsWith('.sharepoint.com') && /^\/:[a-z]:\//.test(pathname);
	return isSharePoint && !isDownload ? 'Microsoft SharePoint' : undefined;
}
