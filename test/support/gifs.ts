import { createHash } from 'node:crypto';

import { PIXEL } from './images';

/** A different image for each name; readers ignore bytes after a GIF's end. */
export function gif(name: string): Buffer {
	return Buffer.concat([PIXEL, Buffer.from(name)]);
}

/** The hash by which the sandbox records a received file. */
export function sha256(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}
