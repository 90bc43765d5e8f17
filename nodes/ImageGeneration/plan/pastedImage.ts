import type { IBinaryData } from 'n8n-workflow';

import { imageType } from '../images/imageType';
import { contentOf } from './fileObjects';

/** Base64, possibly in lines. */
const BASE64 = /^[\w+/\r\n -]+={0,2}\s*$/;

/** Fewer characters could be a name or a word. The smallest GIF has about fifty. */
const SHORTEST_BASE64 = 32;

/** Characters that tell the type of an image. */
const BASE64_START = 200;

/** Whether a text is a `data:` address. */
export function isDataAddress(text: string): boolean {
	return /^\s*data:/i.test(text);
}

/** The image in a `data:` address; undefined if the text is none, or has anything but base64. */
export function imageInDataAddress(text: string): IBinaryData | undefined {
	const { mimeType, data } = contentOf(text);
	return mimeType !== undefined && BASE64.test(data) ? { mimeType, data } : undefined;
}

/** The image that a text is in base64; undefined if it does not begin like one, or has anything else. */
export function imageInBase64(text: string): IBinaryData | undefined {
	const start = text.slice(0, BASE64_START).replace(/\s+/g, '');
	if (start.length < SHORTEST_BASE64 || !BASE64.test(start)) return undefined;
	const isImage = imageType(Buffer.from(start, 'base64'), undefined) !== undefined;
	return isImage && BASE64.test(text) ? { mimeType: '', data: text } : undefined;
}

/** Whether base64 has spaces within its lines, which a form makes of plus signs: its bytes are lost. */
export function hasLostPlusSigns(base64: string): boolean {
	return base64.includes(' ') && /[^\s] +[^\s]/.test(base64);
}
