import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import { safeParse } from 'fast-content-type-parse';
import type { FastifyRequest } from 'fastify';
import type { RecordedFile, RecordedRequest } from '../../types';
import type { Files } from '../jobs/files';
import { decodeUrlEncoded, decoderOf } from './bodyText';
import { reasonOf } from './reasonOf';
import { quote, quoteName, Refusal, truncate } from './refusal';

const maxTextBytes = 1024 * 1024;
const maxParts = 1000;
const encodings = 'multipart/form-data, application/json, application/x-www-form-urlencoded';

/** What is wrong with a form that cannot be read, by the code or message of the library's error. */
const formRefusals: Record<string, Refusal> = {
	FST_PARTS_LIMIT: new Refusal(413, `The form has more than ${maxParts} parts.`),
	FST_PROTO_VIOLATION: new Refusal(
		400,
		'A form field may not have the name of a JavaScript property.',
	),
	FST_INVALID_JSON_FIELD_ERROR: new Refusal(
		400,
		'A part is declared as application/json but is not JSON.',
	),
};

/** An uploaded image on disk. */
export interface Upload {
	file: string;
	fileName: string;
}

/** The content of a body in any encoding (specification 4). */
export interface Form {
	fields: Record<string, string>;
	image?: Upload;
	/** What is wrong with a field, as the rest of a sentence that begins with its name. */
	problems: Map<string, string>;
	/** The first reason to refuse the body. Thrown only once key and subscription are checked. */
	refusal?: Refusal;
	/** Removes the uploads. */
	dispose(): Promise<void>;
}

/**
 * Reads the whole body, because some clients read no response before they have sent everything.
 * Files go to disk, at most `maxImageBytes` each; the rest of a larger file is dropped.
 */
export class FormReader {
	private readonly files: string[] = [];
	private readonly seen = new Set<string>();
	private readonly form: Form = {
		fields: {},
		problems: new Map(),
		dispose: async () => {
			await Promise.all(this.files.map(async (file) => await this.store.remove(file)));
		},
	};

	constructor(
		private readonly request: FastifyRequest,
		private readonly entry: RecordedRequest,
		private readonly store: Files,
		private readonly maxImageBytes: number,
	) {}

	/**
	 * Call it in the same tick as the request arrives, or the start of the body is lost.
	 *
	 * @throws Error if the connection is cut
	 */
	async read(): Promise<Form> {
		try {
			this.request.raw.on('data', (chunk: Buffer) => {
				this.entry.bytesReceived += chunk.length;
			});
			await (this.request.isMultipart() ? this.readParts() : this.readPlain());
		} catch (error) {
			if (this.request.raw.destroyed && !this.request.raw.complete) {
				await this.form.dispose();
				throw error;
			}
			this.form.refusal ??= formRefusal(error);
		}
		return this.form;
	}

	private async readParts(): Promise<void> {
		const limits = { fileSize: this.maxImageBytes, fieldSize: maxTextBytes, parts: maxParts };
		for await (const part of this.request.parts({ limits, isPartAFile })) {
			if (part.type === 'file') await this.takeFile(part);
			else {
				if (part.valueTruncated)
					this.fail(413, `${quoteName(part.fieldname)} is longer than 1 MiB.`);
				this.takeField(part.fieldname, part.value);
			}
		}
	}

	private async takeFile(part: MultipartFile): Promise<void> {
		// RFC 7578 (4.2) does not require a file name.
		const { fieldname: field, filename: fileName = 'unnamed', mimetype: mimeType } = part;
		this.noteField(field);
		const recorded: RecordedFile = { field, fileName, mimeType, bytes: 0, sha256: '' };
		this.entry.files.push(recorded);
		const hash = createHash('sha256');
		const measured = new Transform({
			transform(chunk: Buffer, _encoding, done) {
				recorded.bytes += chunk.length;
				hash.update(chunk);
				done(null, chunk);
			},
		});
		const file = this.store.newUploadPath();
		this.files.push(file);
		await pipeline(part.file, measured, createWriteStream(file));
		recorded.sha256 = hash.digest('hex');
		if (part.file.truncated) {
			const limit = `${this.maxImageBytes} bytes`;
			this.fail(413, `${quoteName(field)}: ${quote(fileName)} is larger than ${limit}.`);
		} else if (field === 'image') this.form.image = { file, fileName };
		else this.addProblem(field, 'must be a form field, not a file.');
	}

	private async readPlain(): Promise<void> {
		if (this.request.method === 'GET' || this.request.method === 'HEAD') return;
		const declared = this.entry.headers['content-type'] ?? '';
		const compression = this.entry.headers['content-encoding'] ?? 'identity';
		if (compression.toLowerCase() !== 'identity') {
			this.fail(
				415,
				`Content-Encoding is ${quote(compression)}; send the body without compression.`,
			);
		}
		const body = await this.readBytes();
		if (body.length === 0) return;
		const { type, parameters } = safeParse(declared);
		const decoder = decoderOf(parameters['charset']);
		if (/^multipart\/form-data *(;|$)/i.test(declared)) {
			this.fail(400, `Content-Type has no boundary. ${boundaryAdvice}`);
		} else if (!decoder) {
			const charset = quote(parameters['charset'] ?? '');
			this.fail(415, `The charset is ${charset}, which the sandbox cannot read; send UTF-8.`);
		} else if (type === 'application/x-www-form-urlencoded') {
			for (const [name, value] of decodeUrlEncoded(body, decoder)) this.takeField(name, value);
		} else if (type === 'application/json') this.takeJson(decoder.decode(body));
		else {
			const sent = declared === '' ? 'missing' : quote(type || declared);
			this.fail(415, `Content-Type is ${sent}; it must be one of ${encodings}.`);
		}
	}

	private async readBytes(): Promise<Buffer> {
		const chunks: Buffer[] = [];
		let bytes = 0;
		for await (const chunk of this.request.raw) {
			const buffer = Buffer.from(chunk as Uint8Array);
			bytes += buffer.length;
			if (bytes <= maxTextBytes) chunks.push(buffer);
		}
		if (bytes > maxTextBytes) this.fail(413, 'A body without a file may be at most 1 MiB.');
		return Buffer.concat(chunks);
	}

	private takeJson(body: string): void {
		let value: unknown;
		try {
			value = JSON.parse(body);
		} catch {
			return this.fail(400, `The body is not JSON: ${quote(body)}.`);
		}
		if (typeof value !== 'object' || value === null || Array.isArray(value)) {
			return this.fail(400, `The JSON body must be an object, not ${quote(body)}.`);
		}
		for (const [name, entry] of Object.entries(value)) this.takeField(name, entry);
	}

	private takeField(name: string, value: unknown): void {
		this.noteField(name);
		let text = typeof value === 'string' ? value : JSON.stringify(value);
		if (name === 'image') text = hidePassword(text);
		if (typeof value !== 'string') {
			const plain = typeof value === 'number' || typeof value === 'boolean';
			const example = plain ? ` such as ${quote(text)}` : '';
			this.addProblem(name, `must be a string${example}, not ${truncate(text)}.`);
		} else if (text.includes('\uFFFD')) {
			this.addProblem(name, `is not valid UTF-8. ${charsetAdvice}`);
		}
		this.form.fields[name] = text;
		this.entry.fields[name] = text;
	}

	private noteField(name: string): void {
		if (this.seen.has(name)) this.addProblem(name, 'was sent more than once.');
		this.seen.add(name);
		this.entry.fieldOrder.push(name);
	}

	private addProblem(name: string, problem: string): void {
		if (!this.form.problems.has(name)) this.form.problems.set(name, problem);
	}

	private fail(status: number, message: string): void {
		this.form.refusal ??= new Refusal(status, message);
	}
}

const boundaryAdvice = 'Let your HTTP client set this header: it chooses the boundary.';
const charsetAdvice =
	'Declare another charset in its Content-Type, or send a file with a file name.';

/** Whether a part is a file: `image` may be text only as an address, the other fields always. */
function isPartAFile(field?: string, type?: string, fileName?: string): boolean {
	return fileName !== undefined || (field === 'image' && type !== 'text/plain');
}

function formRefusal(error: unknown): Refusal {
	const code = typeof error === 'object' && error && 'code' in error ? String(error.code) : '';
	const reason = reasonOf(error);
	const cut = /unexpected end of multipart data$/i.test(reason);
	const message = cut
		? 'The body ends before its last boundary.'
		: `The body could not be read: ${reason}.`;
	return formRefusals[code] ?? new Refusal(400, message);
}

/** Replaces user name and password of an address, which nobody should read in a log. */
function hidePassword(address: string): string {
	if (!URL.canParse(address)) return address;
	const url = new URL(address);
	if (url.username + url.password === '') return address;
	return Object.assign(url, { username: '***', password: '' }).href;
}
