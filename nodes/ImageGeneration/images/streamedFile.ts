import { createHash } from 'crypto';

export type Source = (AsyncIterable<Uint8Array> | Iterable<Uint8Array>) & { destroy?: () => void };

/**
 * A file whose bytes are read while they are sent, so that no image is in memory as a whole.
 *
 * n8n's HTTP client uses only `size` and `stream()` of a `FormData` part, and `FormData` keeps a subclass
 * of `File` as it is (2.40.3, 1.123.81).
 */
export class StreamedFile extends File {
	override readonly size: number;

	/** Why reading the bytes did not succeed while they were sent. */
	readFailure: Error | undefined;

	#sha256: string | undefined;

	#source: Source | undefined;

	#isReleased = false;

	/**
	 * @param size Bytes; reading fails if `open` yields more or fewer.
	 * @param open Starts to read from the beginning.
	 * @param onRead Called each time bytes are read, and after the last ones.
	 */
	constructor(
		name: string,
		mimeType: string,
		size: number,
		private readonly open: () => Promise<Source>,
		private readonly onRead: () => void = () => {},
	) {
		super([], name, { type: mimeType });
		this.size = size;
	}

	override stream(): ReturnType<File['stream']> {
		this.readFailure = undefined;
		return ReadableStream.from(this.#read());
	}

	/** Returns a copy to send in one request and release afterwards. */
	forRequest(onRead: () => void): StreamedFile {
		const copy = new StreamedFile(this.name, this.type, this.size, this.open, () => {
			this.#sha256 ??= copy.#sha256;
			onRead();
		});
		return copy;
	}

	/** Identifies the bytes. Reads them only if no request has. @throws if they can't be read. */
	async sha256(): Promise<string> {
		if (this.#sha256 === undefined) for await (const chunk of this.#read()) void chunk;
		return this.#sha256 ?? '';
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
			this.#source = await this.open();
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
			this.#sha256 = hash.digest('base64url');
			this.onRead();
		} catch (error) {
			const failure = error instanceof Error ? error : new Error(String(error));
			// After a release the upload was already over, so this is not the cause.
			if (!this.#isReleased) this.readFailure = failure;
			throw failure;
		}
	}
}
