/** What the search for an image's end needs next. */
type Need =
	| { kind: 'read'; bytes: number }
	| { kind: 'skip'; bytes: number }
	/** Everything up to these two bytes, and the two. */
	| { kind: 'skip past'; pair: Buffer };

/** Walks through the parts of an image, and returns at its end. Receives the bytes that it reads. */
export type EndSearch = Generator<Need, void, Buffer>;

const read = (bytes: number): Need => ({ kind: 'read', bytes });
const skip = (bytes: number): Need => ({ kind: 'skip', bytes });
const NOTHING = Buffer.alloc(0);

/**
 * Steps after which an image counts as complete without a further look: a service can make a file of nothing
 * but tiny parts. A GIF of 100 MB has about as many.
 */
const MOST_STEPS = 1_000_000;

/** Looks for the end of an image in its chunks, as they come. Keeps no more than a few bytes. */
export class EndFinder {
	/** Whether the image is complete. More bytes may follow, such as a film behind a photo. */
	isFound = false;
	private steps = 0;
	private readonly search: EndSearch;
	private need: Need | undefined;
	/** The beginning of what is needed, if a chunk ended in the middle of it. */
	private kept = NOTHING;

	constructor(findEnd: () => EndSearch) {
		this.search = findEnd();
		this.next(NOTHING);
	}

	/** Takes the image's next bytes. */
	take(chunk: Buffer): void {
		let rest = chunk;
		while (rest.length > 0 && this.need !== undefined) rest = this.fill(this.need, rest);
	}

	/** Gives the search what it needs, if the chunk has it. @returns the bytes after that. */
	private fill(need: Need, chunk: Buffer): Buffer {
		if (need.kind === 'skip') {
			const skipped = Math.min(need.bytes, chunk.length);
			need.bytes -= skipped;
			if (need.bytes === 0) this.next(NOTHING);
			return chunk.subarray(skipped);
		}
		const all = this.kept.length === 0 ? chunk : Buffer.concat([this.kept, chunk]);
		const found = need.kind === 'read' ? need.bytes : endOfPair(all, need.pair);
		if (found <= all.length) {
			this.kept = NOTHING;
			this.next(all.subarray(0, found));
			return all.subarray(found);
		}
		// Copied, so that no whole chunk stays in memory.
		this.kept = Buffer.from(need.kind === 'read' ? all : all.subarray(-1));
		return NOTHING;
	}

	private next(bytes: Buffer): void {
		let step = this.search.next(bytes);
		// Nothing to skip is skipped at once.
		while (step.done !== true && step.value.kind === 'skip' && step.value.bytes <= 0) {
			step = this.search.next(NOTHING);
		}
		this.steps++;
		this.isFound = step.done === true || this.steps > MOST_STEPS;
		this.need = step.done === true || this.isFound ? undefined : step.value;
	}
}

function endOfPair(bytes: Buffer, pair: Buffer): number {
	const index = bytes.indexOf(pair);
	return index < 0 ? Infinity : index + pair.length;
}

/** A PNG ends with its chunk IEND. A chunk has a length, a type, data and a checksum. */
export function* endOfPng(): EndSearch {
	yield skip(8);
	let type = '';
	while (type !== 'IEND') {
		const header = yield read(8);
		type = header.toString('latin1', 4);
		yield skip(header.readUInt32BE(0) + 4);
	}
}

/** A WebP says at its beginning how long it is. Encoders that don't know it write the maximum. */
export function* endOfWebp(): EndSearch {
	const header = yield read(8);
	const bytes = header.readUInt32LE(4);
	if (bytes !== 0xffffffff) yield skip(bytes);
}

/** A GIF ends with its trailer. Each block has parts with a length byte, and then an empty one. */
export function* endOfGif(): EndSearch {
	const screen = yield read(13);
	yield skip(colorTableBytes(screen[10]));
	let block = yield* byte();
	while (block !== 0x3b) {
		if (block === 0x2c) {
			const image = yield read(9);
			yield skip(colorTableBytes(image[8]));
		}
		// An image's code size, or the label of an extension. Zeros between blocks are no blocks.
		if (block !== 0) yield skip(1);
		let part = block === 0 ? 0 : yield* byte();
		while (part > 0) {
			yield skip(part);
			part = yield* byte();
		}
		block = yield* byte();
	}
}

/** @param flags The highest bit says whether there is a table, the lowest three how many colors it has. */
function colorTableBytes(flags = 0): number {
	return flags >= 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function* byte(): Generator<Need, number, Buffer> {
	const [value = 0] = yield read(1);
	return value;
}

const END_OF_JPEG = Buffer.from([0xff, 0xd9]);

/**
 * A JPEG ends with its marker EOI, which can't be part of the pixels. The segments before the pixels have a
 * length and are skipped, because a thumbnail in one of them has an end of its own.
 */
export function* endOfJpeg(): EndSearch {
	yield skip(2);
	let segment = yield read(4);
	while (isBeforePixels(segment)) {
		yield skip(segment.readUInt16BE(2) - 2);
		segment = yield read(4);
	}
	yield { kind: 'skip past', pair: END_OF_JPEG };
}

/** Whether it is a marker with a length, but not SOS, after which the pixels follow. */
function isBeforePixels([first, marker = 0]: Buffer): boolean {
	return first === 0xff && marker >= 0xc0 && marker !== 0xda && marker !== 0xff;
}
