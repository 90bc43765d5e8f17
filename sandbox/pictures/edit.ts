import sharp, { type Sharp } from 'sharp';
import { open, type Picture } from './decode';
import type { Edit } from './edits';
import { stepsOf } from './instruction';
import { Random } from './random';
import { escaped } from './scene';

/** What is asked of an edit (specification 4.3). */
export interface EditRequest {
	instruction: string;
	/** genius and super_genius: sharpened, and JPEG quality 95 in place of 82. */
	fine: boolean;
	/** Pixels of the longer side; undefined keeps the size. */
	longEdge: number | undefined;
}

/** An edited picture. */
export interface Edited {
	/** JPEG. */
	bytes: Buffer;
	/** Says so when the instruction was not understood. */
	note?: string;
}

const white = { background: '#fff' };

const notUnderstood =
	'The instruction was not surely understood, so the picture carries its words as a caption.';

/** Applies an instruction that is understood; of any other the picture gets the words. */
export async function editPicture(source: Picture, request: EditRequest): Promise<Edited> {
	const { instruction, fine, longEdge } = request;
	const steps = stepsOf(instruction);
	const edits: readonly Edit[] = steps?.map(({ edit }) => edit) ?? [
		(_image, whole) => captioned(whole, instruction),
	];
	let picture = source.channels === 3 ? source : await taken(open(source).flatten(white));
	const last = longEdge === undefined && !fine ? edits.at(-1) : undefined;
	for (const edit of last ? edits.slice(0, -1) : edits) {
		picture = await taken(await edit(open(picture), picture));
	}
	// One copy of all pixels fewer than if the last edit were taken first.
	const image = last ? await last(open(picture), picture) : open(picture);
	if (longEdge !== undefined) image.resize(longEdge, longEdge, { fit: 'inside' });
	if (fine) image.sharpen({ sigma: 1 });
	const bytes = await image.jpeg({ quality: fine ? 95 : 82 }).toBuffer();
	return steps ? { bytes } : { bytes, note: notUnderstood };
}

/** An instruction that is not understood still leaves its mark: a slight tint, and its words. */
function captioned({ data, width, height, channels }: Picture, instruction: string): Sharp {
	const random = new Random(instruction);
	const gains = [random.between(0.8, 1.1), random.between(0.8, 1.1), random.between(0.8, 1.1)];
	const size = Math.max(8, Math.round(width / 36));
	const words = escaped(instruction.length > 60 ? `${instruction.slice(0, 60)}…` : instruction);
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">\
<rect y="${height - size * 2}" width="${width}" height="${size * 2}" opacity="0.45"/>\
<text x="${size}" y="${height - size * 0.65}" font-size="${size}" fill="#fff" \
font-family="DejaVu Sans, Helvetica, Arial, sans-serif">${words}</text></svg>`;
	return sharp(data, { raw: { width, height, channels } })
		.linear(gains, [0, 0, 0])
		.composite([{ input: Buffer.from(svg) }]);
}

async function taken(image: Sharp): Promise<Picture> {
	const { data, info } = await image
		.removeAlpha()
		.toColourspace('srgb')
		.raw()
		.toBuffer({ resolveWithObject: true });
	return { data, width: info.width, height: info.height, channels: 3 };
}
