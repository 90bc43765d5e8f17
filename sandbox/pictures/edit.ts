import type { Sharp } from 'sharp';
import { drawCaption } from './caption';
import { open, toPicture, type Picture } from './decode';
import type { Edit } from './edits';
import { parseInstruction } from './instruction';
import { Random } from './random';
import { writeJpeg } from './writeJpeg';

/** What to edit and how (specification 4.3). */
export interface EditRequest {
	instruction: string;
	/** True for genius and super_genius: sharpens, and uses JPEG quality 95 instead of 82. */
	fine: boolean;
	/** Longer side in pixels; undefined keeps the size. */
	longEdge: number | undefined;
	xmp: string;
}

const notUnderstood =
	'The sandbox did not understand the whole instruction, so it added the text as a caption.';

/**
 * Applies an instruction to an RGB picture and writes a JPEG. If it is not understood, adds its text
 * as a caption.
 *
 * @returns a remark if it is not understood
 */
export async function editPicture(
	source: Picture,
	request: EditRequest,
	file: string,
): Promise<string | undefined> {
	const { instruction, fine, longEdge, xmp } = request;
	const steps = parseInstruction(instruction);
	const edits: readonly Edit[] = steps?.map(({ edit }) => edit) ?? [
		(_image, whole) => addCaption(whole, instruction),
	];
	let picture = source;
	const last = longEdge === undefined && !fine ? edits.at(-1) : undefined;
	for (const edit of last ? edits.slice(0, -1) : edits) {
		const edited = await edit(open(picture), picture);
		picture = await toPicture(edited.removeAlpha().toColourspace('srgb'));
	}
	// Encoding the last edit directly saves one copy of all pixels.
	const image = last ? await last(open(picture), picture) : open(picture);
	if (longEdge !== undefined) image.resize(longEdge, longEdge, { fit: 'inside' });
	if (fine) image.sharpen({ sigma: 1 });
	await writeJpeg(image, fine ? 95 : 82, xmp, file);
	return steps ? undefined : notUnderstood;
}

/** Tints the picture slightly and writes the instruction on it. */
function addCaption(picture: Picture, instruction: string): Sharp {
	const { width, height } = picture;
	const random = new Random(instruction);
	const gains = [random.between(0.8, 1.1), random.between(0.8, 1.1), random.between(0.8, 1.1)];
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">\
${drawCaption(instruction, width, height)}</svg>`;
	return open(picture)
		.linear(gains, [0, 0, 0])
		.composite([{ input: Buffer.from(svg) }]);
}
