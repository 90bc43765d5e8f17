import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { RecordedFile, RecordedRequest, Upload } from '../types';
import { quote, Refusal } from './refusal';

const maxTextBytes = 1024 * 1024;
/** The largest image accepted, uploaded or fetched. */
export const maxImageBytes = 300 * 1024 * 1024;

/** The content of a body in any encoding (specification 4). */
export interface Form {
	fields: Record<string, string>;
	image?: Upload;
	/** What is wrong with a field, as the rest of a sentence that begins with its name. */
	problems: Map<string, string>;
	/** Why the body could not be read. Thrown only once the key is checked. */
	refusal?: Refusal;
}

/**
 * Reads the whole body, because some clients read no response before they have sent everything.
 * Call it in the same tick as the request arrives, or the start of the body is lost.
 *
 * @param entry records what arrives
 * @param folder gets the files
 */
export async function readForm(
	request: FastifyRequest,
	entry: RecordedRequest,
	folder: string,
): Promise<Form> {
	const form: Form = { fields: entry.fields, problems: new Map() };
	request.raw.on('data', (chunk: Buffer) => {
		entry.bytesReceived += chunk.length;
	});
	try {
		await (request.isMultipart()
			? readMultipart(request, entry, folder, form)
			: readText(request, entry, form));
	} catch (error) {
		form.refusal =
			error instanceof Refusal
				? error
				: new Refusal(400, `The body could not be read: ${(error as Error).message}.`);
		request.raw.resume();
	}
	return form;
}

async function readMultipart(
	request: FastifyRequest,
	entry: RecordedRequest,
	folder: string,
	form: Form,
): Promise<void> {
	const limits = { fileSize: maxImageBytes, fieldSize: maxTextBytes };
	for await (const part of request.parts({ limits })) {
		const name = part.fieldname;
		entry.fieldOrder.push(name);
		if (part.type === 'field') {
			if (part.valueTruncated) throw new Refusal(413, `${quote(name)} is longer than 1 MiB.`);
			form.fields[name] = String(part.value);
			continue;
		}
		const file = join(folder, `upload-${entry.fieldOrder.length}`);
		await receive(part, entry, file);
		if (name === 'image') form.image = { file, name: part.filename };
		else form.problems.set(name, 'must be a form field, not a file.');
	}
}

/** Writes an uploaded file to disk. */
async function receive(part: MultipartFile, entry: RecordedRequest, file: string): Promise<void> {
	const recorded: RecordedFile = {
		field: part.fieldname,
		fileName: part.filename,
		mimeType: part.mimetype,
		bytes: 0,
		sha256: '',
	};
	entry.files.push(recorded);
	const hash = createHash('sha256');
	const measure = async function* (chunks: AsyncIterable<Buffer>) {
		for await (const chunk of chunks) {
			recorded.bytes += chunk.length;
			hash.update(chunk);
			yield chunk;
		}
	};
	await pipeline(part.file, measure, createWriteStream(file));
	recorded.sha256 = hash.digest('hex');
	if (!part.file.truncated) return;
	throw new Refusal(413, `image: ${quote(part.filename)} is larger than ${maxImageBytes} bytes.`);
}

/** Reads a body that is not multipart. */
async function readText(
	{ raw, mediaType }: FastifyRequest,
	entry: RecordedRequest,
	form: Form,
): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of raw as AsyncIterable<Buffer>) {
		if (entry.bytesReceived <= maxTextBytes) chunks.push(chunk);
	}
	if (entry.bytesReceived > maxTextBytes) {
		throw new Refusal(413, 'A body without a file may be at most 1 MiB.');
	}
	const body = Buffer.concat(chunks).toString('utf8');
	if (body === '') return;
	for (const [name, value] of parse(body, mediaType)) {
		const isText = typeof value === 'string';
		const text = isText ? value : JSON.stringify(value);
		if (!isText) form.problems.set(name, `must be a string, not ${text.slice(0, 60)}.`);
		form.fields[name] = text;
		entry.fieldOrder.push(name);
	}
}

function parse(body: string, mediaType = ''): Iterable<[name: string, value: unknown]> {
	if (mediaType === 'application/x-www-form-urlencoded') return new URLSearchParams(body);
	if (mediaType === 'application/json') {
		const value = parseJson(body);
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
			return Object.entries(value);
		}
		throw new Refusal(400, `The JSON body must be an object, not ${quote(body)}.`);
	}
	const known = 'multipart/form-data, application/json, application/x-www-form-urlencoded';
	throw new Refusal(415, `Content-Type is ${quote(mediaType)}; it must be one of ${known}.`);
}

function parseJson(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		throw new Refusal(400, `The body is not JSON: ${quote(body)}.`);
	}
}
