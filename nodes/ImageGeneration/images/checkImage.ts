import { createHash } from 'crypto';

import { Failed } from '../failures/failures';
import type { Deadline } from '../wait';
import { EndFinder } from './imageEnd';
import type { ImageType } from './knownTypes';

/** The largest image, in bytes after inflation. */
export const MAX_IMAGE_BYTES = 1024 ** 3;

/** What the tries of one download brought of an image whose end is missing. */
export class IncompleteTries {
	private readonly seen = new Set<string>();

	/**
	 * Whether there is no more of the image than these bytes: an earlier try brought the same. Then they are
	 * delivered, because they are paid for.
	 */
	isAll(sha256: string): boolean {
		const isKnown = this.seen.has(sha256);
		this.seen.add(sha256);
		return isKnown;
	}
}

/** An image that is checked while its bytes pass. */
export interface CheckedImage {
	bytes: AsyncIterable<Buffer>;
	/** Whether it has its end, as far as its type tells, once all bytes have passed. */
	isWhole: () => boolean;
	/** Its size in bytes and their hash, once all have passed. */
	file: () => { size: number; sha256: string };
}

/**
 * Passes on the bytes of an image. Ends the request with the reason if the image is too large, if its end
 * is missing, or if it can't be read.
 * @param tries Decides whether an image without its end passes all the same.
 */
export function checkImage(
	bytes: AsyncIterable<Buffer>,
	{ findEnd }: ImageType,
	tries: IncompleteTries,
	request: Pick<Deadline, 'end'>,
): CheckedImage {
	const end = findEnd && new EndFinder(findEnd);
	const isWhole = () => end?.isFound !== false;
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
				end?.take(chunk);
				hash.update(chunk);
				isYielding = true;
				yield chunk;
				isYielding = false;
			}
			sha256 = hash.digest('base64url');
			if (!isWhole() && !tries.isAll(sha256)) {
				throw new Failed({ kind: 'download', reason: 'incomplete' });
			}
		} catch (error) {
			const failure = error instanceof Error ? error : new Error(String(error));
			if (!isYielding) request.end(failure);
			throw failure;
		}
	}
	return { bytes: check(), isWhole, file: () => ({ size, sha256 }) };
}
