import { createHash, hash as hashOf } from 'crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { BadInput, Failed, toFailure } from '../failures/failures';
import { quote } from '../values/text';
import { onAbort, type Deadline } from '../wait';
import { nameOfType } from './fileName';
import { HEAD_BYTES, imageType, notAnImageBecause, otherKindOf } from './imageType';
import { firstBytes } from './readable';

type Source = (AsyncIterable<Uint8Array> | Iterable<Uint8Array>) & { destroy?: () => void };

/** A file that is not open: a run may have thousands. */
export interface InputFile {
	name: string;
	/** Its MIME type. */
	type: string;
	/** Bytes; reading fails if {@link open} yields more or fewer. */
	size: number;
	/** Identifies its first bytes. */
	start: string;
	/** Starts to read from the beginning. */
	open: () => Promise<Source>;
	/** Identifies its bytes, once they have been read. */
	sha256: string | undefined;
}

/**
 * Describes the file part of a request. Reads only the first bytes of the image.
 * @throws BadInput if it is empty, not an image, or no longer in n8n's storage.
 */
export async function imageFile(
	helpers: IExecuteFunctions['helpers'],
	binary: IBinaryData,
): Promise<InputFile> {
	const { id, data, fileName: name = 'image', mimeType: claimed } = binary;
	const about = `The file ${quote(name)}`;
	const { head, size, open } =
		id === undefined ? inMemory(data, about) : await inStorage(helpers, id, binary, about);
	if (size === 0) {
		throw new BadInput(`${about} is empty.`, 'Use a file that is not empty.', 'not an image');
	}
	const type = imageType(head, claimed);
	if (type === undefined) {
		const otherKind = otherKindOf(head);
		throw new BadInput(
			`${about} ${otherKind === undefined ? notAnImageBecause(claimed) : `is ${otherKind}`}.`,
			'Use an image, such as a JPG, PNG or WebP file.',
			'not an image',
		);
	}
	return {
		name: nameOfType(name, type),
		type: type.mimeType,
		size,
		start: hashOf('sha256', head.subarray(0, HEAD_BYTES), 'base64url'),
		open,
		sha256: undefined,
	};
}

async function inStorage(
	helpers: IExecuteFunctions['helpers'],
	id: string,
	{ bytes }: IBinaryData,
	about: string,
) {
	try {
		// n8n 2.40.3 includes the size in the item; 1.123.81 has to ask its storage.
		const size = typeof bytes === 'number' ? bytes : (await helpers.getBinaryMetadata(id)).fileSize;
		const stream = await helpers.getBinaryStream(id, HEAD_BYTES);
		const head = await firstBytes(stream, HEAD_BYTES);
		return { head, size, open: async () => await helpers.getBinaryStream(id) };
	} catch {
		// n8n deletes the files of old executions, but pinned data may still refer to them.
		const failure = new BadInput(
			`${about} is no longer in n8n's storage.`,
			'Run the node that outputs it again.',
		);
		throw failure;
	}
}

function inMemory(data: string, about: string) {
	const base64 = data.trim();
	if (base64.includes(' ') && /\S +\S/.test(base64)) {
		throw new BadInput(
			`${about} has spaces where its base64 had plus signs.`,
			'Forms (x-www-form-urlencoded) turn plus signs into spaces: send each as %2B, or send the image as JSON or as a file.',
		);
	}
	// In lines, as in mails: then only decoding tells how many bytes there are.
	const hasLines = ['\n', '\r', '\t'].some((space) => base64.includes(space));
	const decoded = () => Buffer.from(base64, 'base64');
	return {
		// Four characters for three bytes, so this is more than enough.
		head: Buffer.from(base64.slice(0, HEAD_BYTES * 2), 'base64'),
		size: hasLines ? decoded().length : Buffer.byteLength(base64, 'base64'),
		open: async () => await Promise.resolve(hasLines ? pieces(decoded()) : decodedPieces(base64)),
	};
}

/** Bytes of which an upload shows its progress. A multiple of 3, which are four characters of base64. */
const PIECE = 262_143;

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
	for (let start = 0; start < bytes.length; start += PIECE) {
		yield bytes.subarray(start, start + PIECE);
	}
}

/** Decodes one after the other, so that the file is not in memory as a whole. */
function* decodedPieces(base64: string): Generator<Uint8Array> {
	const length = (PIECE / 3) * 4;
	for (let start = 0; start < base64.length; start += length) {
		yield Buffer.from(base64.slice(start, start + length), 'base64');
	}
}

/** Identifies the bytes of a file. Reads them only if no request has. @throws if they can't be read. */
export async function sha256Of(file: InputFile): Promise<string> {
	if (file.sha256 === undefined) for await (const chunk of read(file)) void chunk;
	return file.sha256 ?? '';
}

/**
 * A file part of one request, whose bytes are read while they are sent, so that no image is in memory as
 * a whole. If they can't be read, the request ends with the reason.
 * @param onEnd Called once all bytes have been read.
 *
 * n8n's HTTP client uses only `size` and `stream()` of a `FormData` part, and `FormData` keeps a `File`
 * with its own ones as it is (2.41.1, 1.123.81).
 */
export function streamedFile(file: InputFile, request: Deadline, onEnd: () => void): File {
	return Object.defineProperties(new File([], file.name, { type: file.type }), {
		size: { value: file.size },
		stream: { value: () => ReadableStream.from(read(file, request, onEnd)) },
	});
}

async function* read(
	file: InputFile,
	request?: Deadline,
	onEnd = () => {},
): AsyncGenerator<Uint8Array> {
	try {
		const source = await file.open();
		// After an interrupted upload n8n's client keeps reading for a while and leaves the file open
		// (2.40.3, 1.123.81).
		onAbort(request?.signal, () => source.destroy?.());
		const hash = createHash('sha256');
		let length = 0;
		for await (const chunk of source) {
			hash.update(chunk);
			length += chunk.length;
			if (length > file.size) break;
			request?.extend();
			yield chunk;
		}
		// If the length is wrong, the service waits for more until the timeout.
		if (length !== file.size) throw new Error(`its length is not the expected ${file.size} bytes`);
		file.sha256 = hash.digest('base64url');
		request?.extend();
		onEnd();
	} catch (error) {
		const { message: reason } = new Failed(toFailure(error));
		const message = `The file "${file.name}" can't be read: ${reason}`;
		const advice =
			'The service never received the whole file. Run the node that outputs the file again.';
		const failed = new Failed({ kind: 'unexpected', message, advice });
		// If it has ended already, that closed the source, so this is not the cause.
		request?.end(failed);
		throw failed;
	}
}
