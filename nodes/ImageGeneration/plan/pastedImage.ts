import type { IBinaryData } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { imageType } from '../images/imageType';
import { quote } from '../values/text';
import { restoreBase64 } from './restoreBase64';

/** The beginning of an address that contains a file. Other parameters may stand before `base64`. */
const DATA_URL = /^\s*data:([^;,]*)(?:;[^,]*)?;\s*base64\s*,/i;

/** The longest beginning that is searched for. */
const LONGEST_START = 300;

const BASE64 = /^[a-z0-9+/_-]+={0,2}$/i;

/** Fewer characters could be a name or a word. The smallest GIF has about fifty. */
const SHORTEST_BASE64 = 32;

/** Characters that tell the type of an image. */
const BASE64_START = 2000;

/** Whether a text is a `data:` address. */
export function isDataUrl(text: string): boolean {
	return /^data:/i.test(text);
}

/**
 * The type and the base64 of a file's data. Code nodes and some services write a whole `data:` address
 * where n8n has only base64.
 */
export function withoutDataUrl(data: string): { mimeType?: string; data: string } {
	const [start, mimeType] = DATA_URL.exec(data.slice(0, LONGEST_START)) ?? [];
	if (start === undefined) return { data };
	return { mimeType: mimeType?.trim() ?? '', data: data.slice(start.length) };
}

/**
 * The image in text: in a `data:` address, or in base64.
 * @param field Where the text stands.
 * @throws BadInput if the text is anything else, or was damaged on its way.
 */
export function imageInText(field: string, text: string): IBinaryData {
	const { mimeType = '', data } = isDataUrl(text) ? dataUrlIn(field, text) : base64In(field, text);
	return { mimeType, data: restoreBase64(field, data, text.length) };
}

function dataUrlIn(field: string, address: string) {
	const found = withoutDataUrl(address);
	const data = found.data.replace(/\s+/g, '');
	if (found.mimeType !== undefined && /^[a-z0-9+/]+={0,2}$/i.test(data)) return found;
	throw new BadInput(
		`'${field}' is ${quote(address)}. A data: address must contain an image in base64.`,
		'Begin it with data:image/png;base64, followed by the image in base64.',
	);
}

function base64In(field: string, text: string): ReturnType<typeof withoutDataUrl> {
	if (BASE64.test(text.replace(/\s+/g, ''))) return { data: text };
	throw new BadInput(
		`'${field}' begins with an image in base64, but goes on with something else.`,
		'Enter nothing but the image.',
	);
}

/** Whether a text begins like an image in base64. */
export function beginsLikeImage(text: string): boolean {
	const start = text.slice(0, BASE64_START).replace(/\s+/g, '');
	if (start.length < SHORTEST_BASE64 || !BASE64.test(start)) return false;
	const type = imageType(Buffer.from(start, 'base64'), undefined);
	// Two bytes are enough for a JPEG XL, and a path such as /work also begins with their base64.
	return type !== undefined && type.mimeType !== 'image/jxl';
}
