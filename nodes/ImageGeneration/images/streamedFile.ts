import { createHash } from 'crypto';

import { Failed, toFailure } from '../failures/failures';
import type { Transfer } from './readable';

export type Source = (AsyncIterable<Uint8Array> | Iterable<Uint8Array>) & { destroy?: () => void };

/** A file that is not open: a run may have thousands. */
export interface InputFile {
	name: string;
	/** Its MIME type. */
	type: string;
	/** Bytes; reading fails if {@link open} yields more or fewer. */
	size: number;
	/** Starts to read from the beginning. */
	open: () => Promise<Source>;
	/** Identifies its bytes, once they have been read. */
	sha256: string | undefined;
}

/** Identifies the bytes of a file. Reads them only if no request has. @throws if they can't be read. */
export async function sha256Of(file: InputFile): Promise<string> {
	if (file.sha256 === undefined) for await (const chunk of read(file)) void chunk;
	return file.sha256 ?? '';
}

/**
 * A file part of one request, whose bytes are read while they are sent, so that no image is in memory as
 * a whole. If they can't be read, the request ends with the reason.
 *
 * n8n's HTTP client uses only `size` and `stream()` of a `FormData` part, and `FormData` keeps a `File`
 * with its own ones as it is (2.40.3, 1.123.81).
 */
export function streamedFile(file: InputFile, request: Transfer): File {
	return Object.defineProperties(new File([], file.name, { type: file.type }), {
		size: { value: file.size },
		stream: { value: () => ReadableStream.from(read(file, request)) },
	});
}

async function* read(file: InputFile, request?: Transfer): AsyncGenerator<Uint8Array> {
	try {
		const source = await file.open();
		// After an interrupted upload n8n's client keeps reading for a while and leaves the file open
		// (2.40.3, 1.123.81).
		const close = () => source.destroy?.();
		if (request?.signal.aborted) close();
		request?.signal.addEventListener('abort', close);
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
