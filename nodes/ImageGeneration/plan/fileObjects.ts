import type { IBinaryData } from 'n8n-workflow';

import { asRecord } from '../values/asRecord';

/** A file of an item, possibly in memory. */
export interface ItemFile extends IBinaryData {
	/** Characters of the text that its base64 comes from, if that may be damaged. */
	textLength?: number;
}

/**
 * A file in a form that databases and models hand over; undefined if the value is none: a `Buffer`, also as
 * JSON, or base64 in `data` and its type, also inside `inlineData`. Whoever sends JSON may not name a file in
 * n8n's storage by an `id`.
 */
export function fileInObject(value: unknown): object | undefined {
	if (typeof value !== 'object') return undefined;
	const bytes = bytesOf(value);
	if (bytes !== undefined) return { mimeType: '', data: bytes.toString('base64') };
	const { inlineData, inline_data: snakeCase } = asRecord(value);
	const { id, fileName, data, mimeType, mime_type } = asRecord(inlineData ?? snakeCase ?? value);
	const type = mimeType ?? mime_type;
	if (typeof type !== 'string' || id !== undefined) return undefined;
	if (typeof data === 'string' && data !== '') {
		return { fileName, data, mimeType: type, textLength: data.length };
	}
	const base64 = bytesOf(data)?.toString('base64') ?? '';
	return base64 === '' ? undefined : { fileName, data: base64, mimeType: type };
}

function bytesOf(value: unknown): Buffer | undefined {
	if (value instanceof Uint8Array) return Buffer.from(value);
	const { type, data } = asRecord(value);
	return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data as number[]) : undefined;
}
