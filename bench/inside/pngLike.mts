const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const END = Buffer.from('\0\0\0\0IEND\xae\x42\x60\x82', 'latin1');
const CHUNK = 64 * 1024;

/** Bytes that start and end like a PNG, with one part between. The sandbox returns them unchanged. */
export function* pngLike(bytes: number, noise: string): Generator<Buffer> {
	// The part's length does not count its own header and checksum.
	const length = bytes - SIGNATURE.length - 12 - END.length;
	for (let done = 0; done < bytes; done += CHUNK) {
		const chunk = Buffer.alloc(Math.min(CHUNK, bytes - done), noise);
		if (done === 0) {
			SIGNATURE.copy(chunk);
			chunk.writeUInt32BE(length, SIGNATURE.length);
		}
		if (done + chunk.length === bytes) END.copy(chunk, chunk.length - END.length);
		yield chunk;
	}
}
