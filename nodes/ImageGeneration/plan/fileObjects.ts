import { asRecord } from '../values/asRecord';

/**
 * A file in a form that databases and models hand over; undefined if the value is none: a `Buffer`, also as
 * JSON, or base64 in `data` and its type, also inside `inlineData`. Whoever sends JSON may not name a file in
 * n8n's storage by an `id`.
 */
export function fileInObject(value: unknown): object | undefined {
	const bytes = bytesOf(value);
	if (bytes !== undefined) return { mimeType: '', data: bytes.toString('base64') };
	const { inlineData, inline_data: snakeCase, ...own } = asRecord(value);
	const { id, fileName, data, mimeType, mime_type } = asRecord(inlineData ?? snakeCase ?? own);
	const type = mimeType ?? mime_type;
	const base64 = typeof data === 'string' ? data : (bytesOf(data)?.toString('base64') ?? '');
	if (typeof type !== 'string' || base64 === '' || id !== undefined) return undefined;
	return { fileName, data: base64, mimeType: type };
}

function bytesOf(value: unknown): Buffer | undefined {
	if (value instanceof Uint8Array) return Buffer.from(value);
	const { type, data } = asRecord(value);
	return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data as number[]) : undefined;
}
