/** Width and height of an image. */
type PixelSize = readonly [width: number, height: number];

/** The largest side of a tracking pixel, by which the sender of a mail learns that it is read. */
const TRACKING_PIXEL = 2;

/** Whether an image is a tracking pixel, as far as its first bytes tell its size. */
export function isTrackingPixel(head: Uint8Array, mimeType: string): boolean {
	const size = pixelSize(head, mimeType);
	// A GIF may leave its size to its frames, and then says that it has none.
	return size?.every((pixels) => pixels >= 1 && pixels <= TRACKING_PIXEL) === true;
}

/**
 * Reads the size of an image from its first bytes.
 * @param mimeType the type that they tell
 * @returns undefined if they don't have it, or if the type has it elsewhere
 */
export function pixelSize(head: Uint8Array, mimeType: string): PixelSize | undefined {
	const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
	try {
		return READERS[mimeType]?.(view);
	} catch {
		// The head ends before the size.
		return undefined;
	}
}

/** @throws RangeError if a head is too short */
const READERS: Record<string, (view: DataView) => PixelSize | undefined> = {
	'image/png': (view) => [view.getUint32(16), view.getUint32(20)],
	'image/gif': (view) => [view.getUint16(6, true), view.getUint16(8, true)],
	'image/bmp': sizeOfBmp,
	'image/webp': sizeOfWebp,
	'image/jpeg': sizeOfJpeg,
};

/** The header of OS/2 has half the width for its numbers. A negative height counts rows from the top. */
function sizeOfBmp(view: DataView): PixelSize {
	if (view.getUint32(14, true) === 12) return [view.getUint16(18, true), view.getUint16(20, true)];
	return [view.getInt32(18, true), Math.abs(view.getInt32(22, true))];
}

/** By the first chunk: extended, without loss, or with loss. */
function sizeOfWebp(view: DataView): PixelSize | undefined {
	switch (view.getUint32(12)) {
		case 0x56503858:
			return [uint24(view, 24) + 1, uint24(view, 27) + 1];
		case 0x5650384c: {
			const bits = view.getUint32(21, true);
			return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
		}
		case 0x56503820:
			return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
		default:
			return undefined;
	}
}

/** Three bytes, the lowest first. */
function uint24(view: DataView, at: number): number {
	return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/** Goes from segment to segment to the first frame. */
function sizeOfJpeg(view: DataView): PixelSize | undefined {
	let at = 2;
	while (!isFrame(view.getUint8(at + 1))) {
		if (view.getUint8(at) !== 0xff) return undefined;
		// Fill bytes may stand before a marker.
		at += view.getUint8(at + 1) === 0xff ? 1 : 2 + view.getUint16(at + 2);
	}
	return [view.getUint16(at + 7), view.getUint16(at + 5)];
}

/** Whether a marker begins a frame. Three others are among their numbers. */
function isFrame(marker: number): boolean {
	return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
