import { createHash } from 'crypto';

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
	if (file.sha256 === undefined)
		for await (const chunk of new StreamedFile(file).stream()) void chunk;
	return file.sha256 ?? '';
}

/**
 * A file part of one request, whose bytes are read while they are sent, so that no image is in memory as
 * a whole. Release it afterwards.
 *
 * n8n's HTTP client uses only `size` and `stream()` of a `FormData` part, and `FormData` keeps a subclass
 * of `File` as it is (2.40.3, 1.123.81).
 */
export class StreamedFile extends File {
	override readonly size: number;

	/** Why reading the bytes did not succeed while they were sent. */
	readFailure: Error | undefined;

	#source: Source | undefined;

	#isReleased = false;

	/** @param onRead Called each time bytes are read, and after the last ones. */
	constructor(
		private readonly file: InputFile,
		private readonly onRead: () => void = () => {},
	) {
		super([], file.name, { type: file.type });
		this.size = file.size;
	}

	override stream(): ReturnType<File['stream']> {
		return ReadableStream.from(this.#read());
	}

	/**
	 * Closes what is still open, for good. After an interrupted upload n8n's client keeps reading for a
	 * while and leaves the file open (2.40.3, 1.123.81).
	 */
	release(): void {
		this.#isReleased = true;
		this.#source?.destroy?.();
	}

	async *#read(): AsyncGenerator<Uint8Array> {
		try {
			this.#source = await this.file.open();
			if (this.#isReleased) this.release();
			const hash = createHash('sha256');
			let sent = 0;
			for await (const chunk of this.#source) {
				hash.update(chunk);
				sent += chunk.length;
				if (sent > this.size) break;
				this.onRead();
				yield chunk;
			}
			// If the length is wrong, the service waits for more until the timeout.
			if (sent !== this.size) throw new Error(`its length is not the expected ${this.size} bytes`);
			this.file.sha256 = hash.digest('base64url');
			this.onRead();
		} catch (error) {
			const failure = error instanceof Error ? error : new Error(String(error));
			// After a release the upload was already over, so this is not the cause.
			if (!this.#isReleased) this.readFailure = failure;
			throw failure;
		}
	}
}
