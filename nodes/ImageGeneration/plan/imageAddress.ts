import { BadInput } from '../failures/failures';
import { ADDRESS_FIELD } from '../fields/image';
import { notAllowed } from '../fields/readValue';
import { quote } from '../values/text';
import { isWebAddress } from '../values/webAddress';
import { PAGES } from './pages';

const FROM_NODE = "set 'Image Source' to 'File From an Earlier Node'";

/**
 * Checks a web address.
 * @param serviceHost The host of the service, which downloads the image.
 * @returns the address to send, and the last part of its path, which names the image.
 * @throws BadInput if the service can't open it, or finds a page there.
 */
export function readWebAddress(
	written: string,
	serviceHost: string,
): { address: string; name: string } {
	if (!isWebAddress(written)) throw noAddressIn(written);
	const url = new URL(written);
	if (isLoopback(url.hostname) && !isThisMachine(serviceHost)) {
		throw new BadInput(
			`'${ADDRESS_FIELD}' is ${quote(written)}. Only this machine can open that address, but the service downloads the image.`,
			`Get the image with an HTTP Request node first, and ${FROM_NODE}.`,
		);
	}
	const address = addressOfPicture(written);
	return { address, name: nameIn(new URL(address)) };
}

/** 'Image URL' is a value without an address. */
export function noAddressIn(value: unknown): BadInput {
	return notAllowed(
		`'${ADDRESS_FIELD}'`,
		value,
		'an address starting with http:// or https://, or an image in base64',
		`Enter the full address, or use an expression that returns it, such as {{ $json.url }}. For a file, ${FROM_NODE}.`,
	);
}

/** An address as it is, or that of the file that a page shows. @throws BadInput if a page has none. */
function addressOfPicture(written: string): string {
	const url = new URL(written);
	const address = url.host.replace(/^www\./, '') + url.pathname + url.search;
	const page = PAGES.find((each) => each.address.test(address));
	if (page === undefined) return written;
	if (page.file !== undefined) return page.file(url);
	const download =
		page.node === undefined
			? 'Save the picture and put it where a node can fetch it, such as a form or Google Drive'
			: `Download the file with a ${page.node} node first`;
	throw new BadInput(
		`'${ADDRESS_FIELD}' is ${quote(written)}. That is a page of ${page.name} that shows pictures, not a picture.`,
		`${download}, and ${FROM_NODE}.`,
	);
}

function nameIn({ host, pathname, searchParams }: URL): string {
	// A file of Google Drive has no name in its address.
	const id = host === 'drive.google.com' ? searchParams.get('id') : null;
	const name = id ?? pathname.split('/').pop() ?? '';
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
