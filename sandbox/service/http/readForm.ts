import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { RecordedFile, RecordedRequest } from '../../types';
import { Form } from './form';
import { maxTextBytes, readPlain } from './plainBody';
import { reasonOf } from './reasonOf';
import { quote, quoteName, Refusal } from './refusal';

const maxParts = 1000;

/**
 * Reads the whole body, because some clients read no response before they have sent everything.
 * Files go to the folder, at most `maxImageBytes` each; the rest of a larger file is dropped.
 * Call it in the same tick as the request arrives, or the start of the body is lost.
 *
 * @returns undefined if the connection is cut
 */
export async function readForm(
	request: FastifyRequest,
	entry: RecordedRequest,
	folder: string,
	maxImageBytes: number,
): Promise<Form | undefined> {
	const form = new Form(entry);
	const limits = {
		fileSize: maxImageBytes,
		fieldSize: maxTextBytes,
		parts: maxParts,
	};
	try {
		request.raw.on('data', (chunk: Buffer) => {
			entry.bytesReceived += chunk.length;
		});
		if (!request.isMultipart()) {
			for (const [name, value] of await readPlain(request, entry)) form.add(name, value);
			return form;
		}
		for await (const part of request.parts({ limits, isPartAFile })) {
			const { fieldname: name } = part;
			if (part.type === 'file') {
				await addFile(form, part, entry, folder);
				continue;
			}
			if (part.valueTruncated) {
				form.refuse(new Refusal(413, `${quoteName(name)} is longer than 1 MiB.`));
			}
			form.add(name, part.value);
		}
	} catch (error) {
		if (request.raw.destroyed && !request.raw.complete) return undefined;
		form.refuse(error instanceof Refusal ? error : refusalOf(error));
	}
	return form;
}

async function addFile(
	form: Form,
	part: MultipartFile,
	entry: RecordedRequest,
	folder: string,
): Promise<void> {
	// RFC 7578 (4.2) does not require a file name.
	const { fieldname: field, filename: fileName = 'unnamed', mimetype: mimeType } = part;
	form.note(field);
	const recorded: RecordedFile = {
		field,
		fileName,
		mimeType,
		bytes: 0,
		sha256: '',
	};
	entry.files.push(recorded);
	const file = join(folder, String(entry.files.length));
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
	if (part.file.truncated) {
		const message = `${quoteName(field)}: ${quote(fileName)} is larger than ${recorded.bytes} bytes.`;
		form.refuse(new Refusal(413, message));
	} else if (field === 'image') {
		form.image = { file, fileName };
	} else {
		form.addProblem(field, 'must be a form field, not a file.');
	}
}

/** Whether a part is a file: `image` may be text only as an address, the other fields always. */
function isPartAFile(field?: string, type?: string, fileName?: string): boolean {
	return fileName !== undefined || (field === 'image' && type !== 'text/plain');
}

/** What is wrong with a form that cannot be read, by the code or message of the library's error. */
const refusals: readonly [error: RegExp, status: number, message: string][] = [
	[/FST_PARTS_LIMIT/, 413, `The form has more than ${maxParts} parts.`],
	[/FST_PROTO_VIOLATION/, 400, 'A form field may not have the name of a JavaScript property.'],
	[/FST_INVALID_JSON/, 400, 'A part is declared as application/json but is not JSON.'],
	[/unexpected end of multipart data/i, 400, 'The body ends before its last boundary.'],
];

function refusalOf(error: unknown): Refusal {
	const code = typeof error === 'object' && error && 'code' in error ? String(error.code) : '';
	const known = refusals.find(([pattern]) => pattern.test(`${code} ${reasonOf(error)}`));
	if (!known) return new Refusal(400, `The body could not be read: ${reasonOf(error)}.`);
	const [, status, message] = known;
	return new Refusal(status, message);
}
