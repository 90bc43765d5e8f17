/** Bytes that {@link hasEnd} searches: other data may follow the end of the image. */
export const TAIL_BYTES = 64 * 1024;

/** What is known about an image after all of its bytes were read. */
export interface SeenImage {
	type: string;
	/** Size in bytes. */
	size: number;
	/** At least its first 12 bytes, if there are as many. */
	head: Uint8Array;
	/** Its last {@link TAIL_BYTES}, or all of it. */
	tail: Uint8Array;
}

/**
 * Whether an image is complete, for formats that mark their end. If in doubt, it is: a complete image
 * must never be rejected.
 */
export function hasEnd({ type, size, head, tail }: SeenImage): boolean {
	const end = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength);
	switch (type) {
		case 'image/png':
			return end.includes('IEND');
		case 'image/jpeg':
			return end.includes(Buffer.from([0xff, 0xd9]));
		case 'image/gif':
			// The end of the last block and the trailer; only near the end, because these bytes are common.
			return end.subarray(-1024).includes(Buffer.from([0x00, 0x3b]));
		case 'image/webp':
			return size >= riffSize(head);
		default:
			return true;
	}
}

/** The size in a RIFF header; encoders that don't know it write 0 or the maximum. */
function riffSize(head: Uint8Array): number {
	const { buffer, byteOffset, byteLength } = head;
	if (byteLength < 8) return 8;
	const size = new DataView(buffer, byteOffset).getUint32(4, true);
	return size === 0xffffffff ? 0 : size + 8;
}
