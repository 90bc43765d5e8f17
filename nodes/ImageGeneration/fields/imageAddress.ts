import type { IBinaryData } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';
import { notAllowed } from './readValue';

/**
 * The addresses in text with one per line. Base64 may be wrapped, so a line without a scheme continues
 * the `data:` address before it.
 */
export function addressesIn(text: string): string[] {
	const lines: string[] = [];
	for (const line of text.split(/[\r\n]+/).map((part) => part.trim())) {
		const last = lines.at(-1);
		const continues = last !== undefined && isDataUrl(last) && !/^(https?|data):/i.test(line);
		if (continues) lines[lines.length - 1] = last + line;
		else if (line !== '') lines.push(line);
	}
	return lines;
}

/** The name of the image behind an address. */
interface AddressedImage {
	name: string;
	/** The image itself, if it is a `data:` address. */
	file?: IBinaryData;
}

/** @throws BadInput unless it is a web address or a valid `data:` address. */
export function readAddress(address: string): AddressedImage {
	if (isDataUrl(address)) return { file: fileInDataUrl(address), name: 'image' };
	// URL parsers also accept "http:/x", which a service may reject.
	if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
		throw notAllowed(
			"'Image URL'",
			address,
			'a full address starting with http:// or https://',
			"Enter the full address. For a file, set 'Image Source' to 'File From an Earlier Node'.",
		);
	}
	return { name: decodeSegment(new URL(address).pathname.split('/').pop() ?? '') };
}

function isDataUrl(address: string): boolean {
	return /^data:/i.test(address);
}

function fileInDataUrl(address: string): IBinaryData {
	const comma = address.indexOf(',');
	const [mimeType = '', ...parameters] = address.slice('data:'.length, comma).split(';');
	const base64 = address.slice(comma + 1).replace(/\s+/g, '');
	const isBase64 = parameters.at(-1)?.trim().toLowerCase() === 'base64';
	if (comma < 0 || !isBase64 || !/^[a-z0-9+/]+={0,2}$/i.test(base64)) {
		throw new BadInput(
			`'Image URL' is ${quote(address)}. A data: address must contain an image in base64.`,
			'Begin it with data:image/png;base64, followed by the image in base64.',
		);
	}
	return { mimeType, data: base64 };
}

function decodeSegment(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		// The name contains a literal percent sign.
		return segment;
	}
}
