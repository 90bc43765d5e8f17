import { BadInput } from '../failures/failures';
import { ADDRESS_FIELD } from '../fields/image';
import { notAllowed } from '../fields/readValue';
import { quote } from '../values/text';
import { isWebAddress } from '../values/webAddress';
import { isHtml } from './addressesIn';
import { PAGES } from './pages';
import { isDataAddress } from './pastedImage';

/** The end of a path of another kind of file. With a query, a service may draw a page of it. */
const OTHER_FILE = /\.(?:pdf|docx?|xlsx?|pptx?|zip|mp4|mov|avi|webm|mp3|wav|csv|txt)$/i;

const FROM_NODE = "set 'Image Source' to 'File From an Earlier Node'";

/**
 * Checks a web address.
 * @param serviceHost The host of the service, which downloads the image.
 * @returns the address to send, and the last part of its path, which names the image.
 * @throws BadInput if the service can't open it, or finds something else there than an image.
 */
export function readWebAddress(
	written: string,
	serviceHost: string,
): { address: string; name: string } {
	if (!isWebAddress(written)) throw notAnAddress(written);
	const url = new URL(written);
	if (isLoopback(url.hostname) && !isThisMachine(serviceHost)) {
		throw new BadInput(
			`'${ADDRESS_FIELD}' is ${quote(written)}. Only this machine can open that address, but the service downloads the image.`,
			`Get the image with an HTTP Request node first, and ${FROM_NODE}.`,
		);
	}
	const address = addressOfPicture(written);
	const [ending] = url.search === '' ? (OTHER_FILE.exec(url.pathname) ?? []) : [];
	if (ending !== undefined) {
		throw new BadInput(
			`'${ADDRESS_FIELD}' is ${quote(written)}. That is a ${ending} file, not a picture.`,
			'Filter out the addresses of other files.',
		);
	}
	return { address, name: nameIn(new URL(address)) };
}

function notAnAddress(text: string): BadInput {
	return notAllowed(
		`'${ADDRESS_FIELD}'`,
		text,
		'a full address starting with http:// or https://',
		`Enter the full address. For a file, ${FROM_NODE}.`,
	);
}

/** 'Image URL' is a value without an address. */
export function noAddressIn(value: unknown): BadInput {
	if (typeof value !== 'string') {
		return new BadInput(
			`'${ADDRESS_FIELD}' contains ${quote(value)}, in which no address of an image is clear.`,
			`Use an expression that returns the address, such as {{ $json.url }}. For files, ${FROM_NODE}.`,
		);
	}
	if (isDataAddress(value)) {
		return new BadInput(
			`'${ADDRESS_FIELD}' is ${quote(value)}. A data: address must contain an image in base64.`,
			'Begin it with data:image/png;base64, followed by the image in base64.',
		);
	}
	if (!isHtml(value)) return notAnAddress(value);
	return new BadInput(
		`'${ADDRESS_FIELD}' is HTML without an image that has a web address: ${quote(value)}.`,
		`Enter the address of the image. For the attachments of a mail, set 'Image Source' to 'All Images of the Item'.`,
	);
}

/** An address as it is, or that of the file that a page shows. @throws BadInput if a page has none. */
function addressOfPicture(written: string): string {
	const { hostname, pathname, search } = new URL(written);
	const address = hostname.replace(/^www\./, '') + pathname + search;
	const page = PAGES.find((each) => each.address.test(address));
	if (page === undefined) return written;
	if (page.file !== undefined) return address.replace(page.address, page.file);
	throw new BadInput(
		`'${ADDRESS_FIELD}' is ${quote(written)}. That is a page of ${page.name} that shows pictures, not a picture.`,
		page.advice,
	);
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

/** Whether a service is on this machine. n8n in Docker reaches it by a name of its own. */
function isThisMachine(host: string): boolean {
	return isLoopback(host) || host === 'host.docker.internal';
}
