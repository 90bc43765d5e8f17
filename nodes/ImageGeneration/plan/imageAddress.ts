import { BadInput } from '../failures/failures';
import { ADDRESS_FIELD } from '../fields/image';
import { notAllowed } from '../fields/readValue';
import { quote } from '../values/text';
import { isWebAddress } from '../values/webAddress';
import { isHtml } from './readableText';
import { addressOfFile } from './sharedFile';
import { siteOf } from './sites';

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
	const address = addressOfFile(written) ?? written;
	const url = new URL(address);
	if (isLoopback(url.hostname) && !isNearby(serviceHost)) {
		throw new BadInput(
			`'${ADDRESS_FIELD}' is ${quote(written)}. Only this machine can open that address, but the service downloads the image.`,
			`Get the image with an HTTP Request node first, and ${FROM_NODE}.`,
		);
	}
	const site = siteOf(url);
	if (site !== undefined) {
		throw new BadInput(
			`'${ADDRESS_FIELD}' is ${quote(written)}. That is a page of ${site.name} that shows pictures, not a picture.`,
			site.advice,
		);
	}
	const [ending] = url.search === '' ? (OTHER_FILE.exec(url.pathname) ?? []) : [];
	if (ending !== undefined) {
		throw new BadInput(
			`'${ADDRESS_FIELD}' is ${quote(written)}. That is a ${ending} file, not a picture.`,
			'Filter out the addresses of other files.',
		);
	}
	return { address, name: nameIn(url) };
}

function notAnAddress(text: string): BadInput {
	if (isHtml(text)) {
		return new BadInput(
			`'${ADDRESS_FIELD}' is HTML without an image that has a web address: ${quote(text)}.`,
			`Enter the address of the image. For the attachments of a mail, set 'Image Source' to 'All Images of the Item'.`,
		);
	}
	return notAllowed(
		`'${ADDRESS_FIELD}'`,
		text,
		'a full address starting with http:// or https://',
		`Enter the full address. For a file, ${FROM_NODE}.`,
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

/** Whether a service may be on this machine or on one beside it: then it may know the address after all. */
function isNearby(host: string): boolean {
	return (
		isLoopback(host) ||
		/^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host) ||
		/^\[f[cde]/.test(host) ||
		/^[^.[]+$|\.(?:local|internal|lan|home|test)$/.test(host)
	);
}
