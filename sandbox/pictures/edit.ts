import sharp, { type Sharp } from 'sharp';
import { drawCaption } from './caption';
import { open, type Picture } from './decode';
import type { Edit } from './edits';
import { parseInstruction } from './instruction';
import { Random } from './random';

/** What to edit and how (specification 4.3). */
export interface EditRequest {
	instruction: string;
	/** True for genius and super_genius: sharpens, and uses JPEG quality 95 instead of 82. */
	fine: boolean;
	/** Longer side in pixels; undefined keeps the size. */
	longEdge: number | undefined;
	xmp: string;
}

/** An edited picture. */
export interface Edited {
	/** JPEG. */
	bytes: Buffer;
	/** Set if the instruction was not understood. */
	note?: string;
}

const white = { background: '#fff' };

const notUnderstood =
	'The sandbox did not understand the whole instruction, so it added the text as a caption.';

/** Applies an instruction. If it is not understood, adds its text as a caption. */
export async function editPicture(source: Picture, request: EditRequest): Promise<Edited> {
	const { instruction, fine, longEdge, xmp } = request;
	const steps = parseInstruction(instruction);
	const edits: readonly Edit[] = steps?.map(({ edit }) => edit) ?? [
		(_image, whole) => addCaption(whole, instruction),
	];
	let picture = source.channels === 3 ? source : await toPicture(open(source).flatten(white));
	const last = longEdge === undefined && !fine ? edits.at(-1) : undefined;
	for (const edit of last ? edits.slice(0, -1) : edits) {
		picture = await toPicture(await edit(open(picture), picture));
	}
	// Encoding the last edit directly saves one copy of all pixels.
	const image = last ? await last(open(picture), picture) : open(picture);
	if (longEdge !== undefined) image.resize(longEdge, longEdge, { fit: 'inside' });
	if (fine) image.sharpen({ sigma: 1 });
	const bytes = await image
		.jpeg({ quality: fine ? 95 : 82 })
		.withXmp(xmp)
		.toBuffer();
	return steps ? { bytes } : { bytes, note: notUnderstood };
}

/** Tints the picture slightly and writes the instruction on it. */
function addCaption({ data, width, height, channels }: Picture, instruction: string): Sharp {
	const random = new Random(instruction);
	const gains = [random.between(0.8, 1.1), random.between(0.8, 1.1), random.between(0.8, 1.1)];
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">\
${drawCaption(instruction, width, height)}</svg>`;
	return sharp(data, { raw: { width, height, channels } })
		.linear(gains, [0, 0, 0])
		.composite([{ input: Buffer.from(svg) }]);
}

async function toPicture(image: Sharp): Promise<Picture> {
	const { data, info } = await image
		.removeAlpha()
		.toColourspace('srgb')
		.raw()
		.toBuffer({ resolveWithObject: true });
	return { data, width: info.width, height: info.height, channels: 3 };
}
