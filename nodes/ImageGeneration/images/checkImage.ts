import { createHash } from 'crypto';

import { Failed } from '../failures/failures';
import type { Deadline } from '../wait';

/** The largest image, in bytes after inflation. */
export const MAX_IMAGE_BYTES = 1024 ** 3;

/** An image that is checked while its bytes pass. */
export interface CheckedImage {
	bytes: AsyncIterable<Buffer>;
	/** Its size in bytes and their hash, once all have passed. */
	file: () => { size: number; sha256: string };
}

/** Passes on the bytes of an image. Ends the request with the reason if it is too large or can't be read. */
export function checkImage(
	bytes: AsyncIterable<Buffer>,
	request: Pick<Deadline, 'end'>,
): CheckedImage {
	let size = 0;
	let sha256 = '';
	async function* check() {
		const hash = createHash('sha256');
		// A consumer may throw at `yield`; that is not a failure of the image.
		let isYielding = false;
		try {
			for await (const chunk of bytes) {
				size += chunk.length;
				if (size > MAX_IMAGE_BYTES) throw new Failed({ kind: 'download', reason: 'too large' });
				hash.update(chunk);
				isYielding = true;
				yield chunk;
				isYielding = false;
			}
			sha256 = hash.digest('base64url');
		} catch (error) {
			const failure = error instanceof Error ? error : new Error(String(error));
			if (!isYielding) request.end(failure);
			throw failure;
		}
	}
	return { bytes: check(), file: () => ({ size, sha256 }) };
}
