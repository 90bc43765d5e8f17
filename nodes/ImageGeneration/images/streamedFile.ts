type Source = (AsyncIterable<Uint8Array> | Iterable<Uint8Array>) & { destroy?: () => void };

/**
 * A file whose bytes are read only while they are sent, each time anew, so that a second attempt
 * sends them again and no image stands in memory as a whole.
 *
 * n8n's HTTP client takes the parts of a standard `FormData` by `size` and `stream()`; a subclass
 * of `File` keeps its identity in it (seen on n8n 2.40.3 and 1.123.81).
 */
export class StreamedFile extends File {
	override readonly size: number;

	/** Why the bytes could not be read, if that happened while they were sent. */
	readFailure: Error | undefined;

	readonly #open: () => Promise<Source>;

	readonly #sources = new Set<Source>();

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

	/** Ends what is still being read; the client leaves it open when an upload is cut off. */
	release(): void {
		for (const source of this.#sources) source.destroy?.();
		this.#sources.clear();
	}

	async *#read(): AsyncGenerator<Uint8Array> {
		let source: Source | undefined;
		try {
			source = await this.#open();
			this.#sources.add(source);
			let sent = 0;
			for await (const chunk of source) {
				sent += chunk.length;
				if (sent > this.size) break;
				yield chunk;
			}
			// With another length than announced, the service would wait until the timeout.
			if (sent !== this.size) throw new Error(`it does not have the ${this.size} bytes it should`);
			this.#sources.delete(source);
		} catch (error) {
			const failure = error instanceof Error ? error : new Error(String(error));
			// Released while it was being read: the upload was over, so this is not why it failed.
			const isReleased = source !== undefined && !this.#sources.has(source);
			if (!isReleased) this.readFailure = failure;
			throw failure;
		}
	}
}
