import sharp, { type Sharp } from 'sharp';
import type { Upload } from '../service/http/form';
import { drawCaption } from './caption';
import { openUpload, workSeconds } from './decode';
import { findEdits, type Edit } from './edits';
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
 * Edits an image, on white, and writes a JPEG. If the instruction is not understood, adds its text as
 * a caption.
 *
 * @returns a remark if it is not understood
 */
export async function editPicture(
	upload: Upload,
	{ instruction, fine, longEdge, xmp }: EditRequest,
	file: string,
): Promise<string | undefined> {
	const found = findEdits(instruction);
	const steps = found ?? [addCaption(instruction)];
	if (longEdge !== undefined) steps.push((image) => enlarge(image, longEdge));
	if (fine) steps.push((image) => image.sharpen({ sigma: 1 }));
	const last = steps.pop();
	let image = openUpload(upload).flatten({ background: '#fff' });
	for (const [index, edit] of steps.entries()) {
		// sharp orders operations by its own rules, so each edit has its own pass over the pixels. They
		// go to a file, because memory for them would grow with each picture.
		const made = `${file}-${index}.tif`;
		await (await apply(edit, image)).tiff({ compression: 'none' }).toFile(made);
		image = open(made);
	}
	if (last) image = await apply(last, image);
	await writeJpeg(image, fine ? 95 : 82, xmp, file);
	return found ? undefined : notUnderstood;
}

async function apply(edit: Edit, image: Sharp): Promise<Sharp> {
	const { autoOrient } = await image.metadata();
	return edit(image, autoOrient).removeAlpha().toColourspace('srgb');
}

/** Opens a picture between two edits. */
function open(file: string): Sharp {
	return sharp(file, { limitInputPixels: false }).timeout({ seconds: workSeconds });
}

function enlarge(image: Sharp, longEdge: number): Sharp {
	return image.resize(longEdge, longEdge, { fit: 'inside' });
}

/** Tints the picture slightly and writes the instruction on it. */
function addCaption(instruction: string): Edit {
	const random = new Random(instruction);
	const gains = [random.between(0.8, 1.1), random.between(0.8, 1.1), random.between(0.8, 1.1)];
	return (image, { width, height }) => {
		const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">\
${drawCaption(instruction, width, height)}</svg>`;
		return image.linear(gains, [0, 0, 0]).composite([{ input: Buffer.from(svg) }]);
	};
}
