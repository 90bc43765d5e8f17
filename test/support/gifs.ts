import { createHash } from 'node:crypto';

import { PIXEL } from './images';

/** A picture of its own for each name: what stands behind a GIF's end does no harm. */
export function gif(name: string): Buffer {
	return Buffer.concat([PIXEL, Buffer.from(name)]);
}

/** As the sandbox records a file that it received. */
export function sha256(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}
