import type { IBinaryData } from 'n8n-workflow';

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
	// Millions of lists or texts would take seconds to convert.
	if (!data.every((byte) => typeof byte === 'number')) return undefined;
	return Buffer.from(Uint8Array.from(data).buffer);
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
export function contentOf(text: string): { mimeType?: string; data: string } {
	const [beginning, mimeType] = DATA_ADDRESS.exec(text.slice(0, LONGEST_BEGINNING)) ?? [];
	if (beginning === undefined) return { data: text };
	return { mimeType: mimeType?.trim() ?? '', data: text.slice(beginning.length) };
}
