/** How much of an image's end {@link hasEnd} looks at, in bytes: other data may stand behind it. */
export const TAIL_BYTES = 64 * 1024;

/** What is known of an image once all of its bytes have passed. */
export interface SeenImage {
	type: string;
	/** Bytes in all. */
	size: number;
	/** At least its first 12 bytes, if there are as many. */
	head: Uint8Array;
	/** Its last {@link TAIL_BYTES}, or all of it. */
	tail: Uint8Array;
}

/**
 * Whether an image is there to its end, as far as its format has one. In doubt it is: a whole image
 * is never taken for half of one.
 */
export function hasEnd({ type, size, head, tail }: SeenImage): boolean {
	const end = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength);
	switch (type) {
		case 'image/png':
			return end.includes('IEND');
		case 'image/jpeg':
			return end.includes(Buffer.from([0xff, 0xd9]));
		case 'image/gif':
			// The end of the last block, then the trailer; close to the end, as the two are not rare.
			return end.subarray(-1024).includes(Buffer.from([0x00, 0x3b]));
		case 'image/webp':
			return size >= riffSize(head);
		default:
			return true;
	}
}

/** What a RIFF file says of its size; encoders that can't know it write 0 or the most. */
function riffSize(head: Uint8Array): number {
	const { buffer, byteOffset, byteLength } = head;
	if (byteLength < 8) return 8;
	const size = new DataView(buffer, byteOffset).getUint32(4, true);
	return size === 0xffffffff ? 0 : size + 8;
}
