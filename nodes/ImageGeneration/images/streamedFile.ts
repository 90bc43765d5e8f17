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

	/** Called each time the client reads bytes, and after the last ones. */
	onRead: () => void = () => {};

	#sha256: string | undefined;

	readonly #open: () => Promise<Source>;

	#onHashed: (sha256: string) => void = () => {};

	readonly #sources = new Set<Source>();

	#isReleased = false;

	/**
	 * @param size Bytes; reading fails if `open` yields more or fewer.
	 * @param open Starts to read from the beginning.
	 */
	constructor(name: string, mimeType: string, size: number, open: () => Promise<Source>) {
		super([], name, { type: mimeType });
		this.size = size;
		this.#open = open;
	}

	override stream(): ReturnType<File['stream']> {
		this.readFailure = undefined;
		return ReadableStream.from(this.#read());
	}

	/** Returns a copy to send in one request and release afterwards. */
	forRequest(): StreamedFile {
		const copy = new StreamedFile(this.name, this.type, this.size, this.#open);
		copy.#onHashed = (sha256) => {
			this.#sha256 = sha256;
		};
		return copy;
	}

	/** Identifies the bytes. Reads them only if no request has. @throws if they can't be read. */
	async sha256(): Promise<string> {
		if (this.#sha256 === undefined) {
			const copy = this.forRequest();
			for await (const chunk of copy.#read()) void chunk;
			copy.release();
		}
		return this.#sha256 ?? '';
	}

	/**
	 * Closes everything that is still open, for good. After an interrupted upload n8n's client keeps
	 * reading for a while and leaves the file open (2.40.3, 1.123.81).
	 */
	release(): void {
		this.#isReleased = true;
		for (const source of this.#sources) source.destroy?.();
		this.#sources.clear();
	}

	async *#read(): AsyncGenerator<Uint8Array> {
		try {
			const source = await this.#source();
			const hash = createHash('sha256');
			let sent = 0;
			for await (const chunk of source) {
				hash.update(chunk);
				sent += chunk.length;
				if (sent > this.size) break;
				this.onRead();
				yield chunk;
			}
			// If the length is wrong, the service waits for more until the timeout.
			if (sent !== this.size) throw new Error(`its length is not the expected ${this.size} bytes`);
			this.onRead();
			this.#onHashed(hash.digest('base64url'));
			this.#sources.delete(source);
		} catch (error) {
			const failure = error instanceof Error ? error : new Error(String(error));
			// After a release the upload was already over, so this is not the cause.
			if (!this.#isReleased) this.readFailure = failure;
			throw failure;
		}
	}

	async #source(): Promise<Source> {
		this.#throwIfReleased();
		const source = await this.#open();
		this.#sources.add(source);
		if (this.#isReleased) this.release();
		this.#throwIfReleased();
		return source;
	}

	#throwIfReleased(): void {
		if (this.#isReleased) throw new Error('The upload is over');
	}
}
