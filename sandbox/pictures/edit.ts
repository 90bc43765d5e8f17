import sharp, { type Sharp } from 'sharp';
import type { Upload } from '../types';
import { captioned } from './caption';
import { openUpload } from './decode';
import { findEdits, type Edit } from './edits';
import { Random } from './random';

/** What to edit and how (specification 4.3). */
export interface EditRequest {
	instruction: string;
	/** True for genius and super_genius: sharpens, and uses JPEG quality 95 instead of 82. */
	isFine: boolean;
	/** Longer side in pixels; undefined keeps the size. */
	longEdge: number | undefined;
}

const notUnderstood =
	'The sandbox did not understand the whole instruction, so it added the text as a caption.';

/**
 * Edits an image, on white, and writes a JPEG. If the instruction is not understood, adds its text as
 * a caption.
 *
 * @returns a remark if it is not understood
 */
export async function editPicture(
	upload: Upload,
	{ instruction, isFine, longEdge }: EditRequest,
	file: string,
): Promise<string | undefined> {
	const found = findEdits(instruction);
	const steps = found ?? [addCaption(instruction)];
	if (longEdge !== undefined) {
		steps.push((image) => image.resize(longEdge, longEdge, { fit: 'inside' }));
	}
	if (isFine) steps.push((image) => image.sharpen({ sigma: 1 }));
	let image = openUpload(upload).flatten({ background: '#fff' });
	for (const edit of steps) image = await apply(edit, image);
	await image.jpeg({ quality: isFine ? 95 : 82 }).toFile(file);
	return found ? undefined : notUnderstood;
}

/** sharp orders operations by its own rules, so each edit has its own pass over the pixels. */
async function apply(edit: Edit, image: Sharp): Promise<Sharp> {
	const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
	const { width, height, channels } = info;
	const edited = edit(sharp(data, { raw: { width, height, channels } }), { width, height });
	return edited.toColourspace('srgb');
}

/** Tints the picture slightly and writes the instruction on it. */
function addCaption(instruction: string): Edit {
	const random = new Random(instruction);
	const gains = [random.between(0.8, 1.1), random.between(0.8, 1.1), random.between(0.8, 1.1)];
	return (image, size) =>
		image.linear(gains, [0, 0, 0]).composite([{ input: captioned(instruction, size) }]);
}
