import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { RecordedFile, RecordedRequest } from '../../types';
import type { Files } from '../jobs/files';
import { reasonOf } from './reasonOf';
import { quote, quoteName, Refusal, truncate } from './refusal';

const maxTextBytes = 1024 * 1024;
const encodings = 'multipart/form-data, application/json, application/x-www-form-urlencoded';

/** An uploaded image on disk. */
export interface Upload {
	file: string;
	fileName: string;
}

/** The content of a body in any encoding (specification 4). */
export interface Form {
	fields: Record<string, string>;
	image?: Upload;
	/** Fields other than `image` that arrived as a file part. */
	fileFields: Set<string>;
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
		fileFields: new Set(),
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
			const reason = reasonOf(error);
			const exceedsLimit = reason.startsWith('reach ');
			this.fail(exceedsLimit ? 413 : 400, `The body could not be read: ${reason}.`);
		}
		return this.form;
	}

	private async readParts(): Promise<void> {
		const limits = { fileSize: this.maxImageBytes, fieldSize: maxTextBytes, parts: 100 };
		for await (const part of this.request.parts({ limits })) {
			if (part.type === 'file') await this.takeFile(part);
			else {
				if (part.valueTruncated)
					this.fail(413, `${quoteName(part.fieldname)} is longer than 1 MiB.`);
				this.takeField(part.fieldname, part.value);
			}
		}
	}

	private async takeFile(part: MultipartFile): Promise<void> {
		const { fieldname: field, filename: fileName, mimetype: mimeType } = part;
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
		else this.form.fileFields.add(field);
	}

	private async readPlain(): Promise<void> {
		if (this.request.method === 'GET' || this.request.method === 'HEAD') return;
		const body = await this.readText();
		const type = (this.entry.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
		if (type === 'application/x-www-form-urlencoded') {
			for (const [name, value] of new URLSearchParams(body)) this.takeField(name, value);
		} else if (type === 'application/json') this.takeJson(body);
		else if (body !== '') {
			const sent = type === '' ? 'missing' : quote(type ?? '');
			this.fail(415, `Content-Type is ${sent}; it must be one of ${encodings}.`);
		}
	}

	private async readText(): Promise<string> {
		const chunks: Buffer[] = [];
		let bytes = 0;
		for await (const chunk of this.request.raw) {
			const buffer = Buffer.from(chunk as Uint8Array);
			bytes += buffer.length;
			if (bytes <= maxTextBytes) chunks.push(buffer);
		}
		if (bytes > maxTextBytes) this.fail(413, 'A body without a file may be at most 1 MiB.');
		return Buffer.concat(chunks).toString('utf8');
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
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		if (typeof value !== 'string') {
			const plain = typeof value === 'number' || typeof value === 'boolean';
			const example = plain ? ` such as ${quote(text)}` : '';
			this.fail(400, `${quoteName(name)} must be a string${example}, not ${truncate(text)}.`);
		}
		this.form.fields[name] = text;
		this.entry.fields[name] = text;
	}

	private noteField(name: string): void {
		if (this.seen.has(name)) this.fail(400, `${quoteName(name)} was sent more than once.`);
		this.seen.add(name);
		this.entry.fieldOrder.push(name);
	}

	private fail(status: number, message: string): void {
		this.form.refusal ??= new Refusal(status, message);
	}
}
