import type { IBinaryData } from 'n8n-workflow';

import { imageType } from '../images/imageType';
import { asRecord } from '../values/asRecord';

/** The beginning of an address that contains a file. Other parameters may stand before `base64`. */
const DATA_ADDRESS = /^\s*data:([^;,]*)(?:;[^,]*)?;\s*base64\s*,/i;

/** The longest beginning that is searched for. */
const LONGEST_BEGINNING = 300;

/**
 * The file in an object that databases and models hand over: a `Buffer`, also as JSON, or base64 in `data` and its
 * type, also in `inlineData`. Undefined if the value is none, or if it has an `id`: whoever sends JSON may not name
 * a file in n8n's storage.
 */
export function fileInObject(value: unknown): IBinaryData | undefined {
	if (typeof value !== 'object') return undefined;
	const bytes = bytesOf(value);
	if (bytes !== undefined) return { mimeType: '', data: bytes.toString('base64') };
	const { inlineData, inline_data } = asRecord(value);
	const file = asRecord(inlineData ?? inline_data ?? value);
	const type = file.mimeType ?? file.mime_type;
	if (typeof type !== 'string' || file.id !== undefined) return undefined;
	const data = typeof file.data === 'string' ? file.data : bytesOf(file.data)?.toString('base64');
	if (data === undefined || data === '') return undefined;
	return toBinary({ data, mimeType: type, fileName: file.fileName });
}

function bytesOf(value: unknown): Buffer | undefined {
	if (value instanceof Uint8Array) return Buffer.from(value);
	const { type, data } = asRecord(value);
	if (type !== 'Buffer' || !Array.isArray(data)) return undefined;
	// Read once: in an expression's value, n8n answers each access by code (2.41.1).
	const { length } = data;
	const bytes = Buffer.alloc(length);
	for (let index = 0; index < length; index++) {
		const byte: unknown = data[index];
		// Millions of lists or texts would take seconds to convert.
		if (typeof byte !== 'number') return undefined;
		bytes[index] = byte;
	}
	return bytes;
}

/**
 * Corrects a file that a Code node may have broken: it may be empty, its name a number, and its data a whole `data:`
 * address where n8n has only base64.
 */
export function toBinary(value: unknown): IBinaryData {
	const { id, data, mimeType, fileName, bytes } = asRecord(value);
	const content = contentOf(typeof data === 'string' ? data : '');
	const type = content.mimeType ?? mimeType;
	const binary: IBinaryData = {
		data: content.data,
		mimeType: typeof type === 'string' ? type : '',
	};
	if (typeof id === 'string') binary.id = id;
	if (typeof bytes === 'number') binary.bytes = bytes;
	if (typeof fileName === 'string' || typeof fileName === 'number') {
		binary.fileName = String(fileName);
	}
	return binary;
}

/** The base64 in a text, and its type if the text is a `data:` address. */
function contentOf(text: string): { mimeType?: string; data: string } {
	const [beginning, mimeType] = DATA_ADDRESS.exec(text.slice(0, LONGEST_BEGINNING)) ?? [];
	if (beginning === undefined) return { data: text };
	return { mimeType: mimeType?.trim() ?? '', data: text.slice(beginning.length) };
}

/** Base64 without spaces around it, possibly in lines, or with the spaces that a form makes of plus signs. */
const BASE64 = /^[\w+/\r\n -]+={0,2}$/;

/** Fewer characters could be a name or a word. The smallest GIF has about fifty. */
const SHORTEST_BASE64 = 32;

/** Characters that tell the type of an image. */
const BASE64_START = 200;

/** The image in a `data:` address; undefined if the text is none, or has anything but base64. */
export function imageInDataAddress(text: string): IBinaryData | undefined {
	const { mimeType, data } = contentOf(text);
	return mimeType !== undefined && BASE64.test(data.trim()) ? { mimeType, data } : undefined;
}

/** The image that a text is in base64; undefined if it does not begin like one, or has anything else. */
export function imageInBase64(text: string): IBinaryData | undefined {
	const start = text.slice(0, BASE64_START).replace(/\s+/g, '');
	if (start.length < SHORTEST_BASE64 || !BASE64.test(start)) return undefined;
	const isImage = imageType(Buffer.from(start, 'base64'), undefined) !== undefined;
	return isImage && BASE64.test(text.trim()) ? { mimeType: '', data: text } : undefined;
}
