type Source = (AsyncIterable<Uint8Array> | Iterable<Uint8Array>) & { destroy?: () => void };

/**
 * A file whose bytes are read only while they are sent, so that no image stands in memory as a
 * whole.
 *
 * n8n's HTTP client takes the parts of a standard `FormData` by `size` and `stream()`; a subclass
 * of `File` keeps its identity in it (seen on n8n 2.40.3 and 1.123.81).
 */
export class StreamedFile extends File {
	override readonly size: number;

	/** Why the bytes could not be read, if that happened while they were sent. */
	readFailure: Error | undefined;

	/** Called each time that bytes are taken, and after the last ones. */
	onRead: () => void = () => {};

	readonly #open: () => Promise<Source>;

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

	/** The same file, to be sent in one attempt, and released after it. */
	forAttempt(): StreamedFile {
		return new StreamedFile(this.name, this.type, this.size, this.#open);
	}

	/**
	 * Ends what is still being read or opened, for good: n8n's client reads on for a while when an
	 * upload is cut off, and leaves the file open (2.40.3 and 1.123.81).
	 */
	release(): void {
		this.#isReleased = true;
		for (const source of this.#sources) source.destroy?.();
		this.#sources.clear();
	}

	async *#read(): AsyncGenerator<Uint8Array> {
		try {
			const source = await this.#source();
			let sent = 0;
			for await (const chunk of source) {
				sent += chunk.length;
				if (sent > this.size) break;
				this.onRead();
				yield chunk;
			}
			// With another length than announced, the service would wait until the timeout.
			if (sent !== this.size) throw new Error(`its length is not the expected ${this.size} bytes`);
			this.onRead();
			this.#sources.delete(source);
		} catch (error) {
			const failure = error instanceof Error ? error : new Error(String(error));
			// Released while it was being read: the upload was over, so this is not why it failed.
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
