import sharp, { type Sharp } from 'sharp';
import { open, type Picture } from './decode';
import { edits } from './edits';
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

/** Applies the instructions understood, in their order, and gives a JPEG. */
export async function editPicture(source: Picture, request: EditRequest): Promise<Buffer> {
	const { instruction, fine, longEdge } = request;
	let picture = await taken(open(source).flatten({ background: '#fff' }));
	const steps = stepsOf(instruction.toLowerCase());
	for (const { edit, match } of steps) {
		picture = await taken(await edit.apply(open(picture), picture, match));
	}
	if (steps.length === 0) picture = await taken(captioned(picture, instruction));
	const image = open(picture);
	if (longEdge !== undefined) image.resize(longEdge, longEdge, { fit: 'inside' });
	if (fine) image.sharpen({ sigma: 1 });
	return await image.jpeg({ quality: fine ? 95 : 82 }).toBuffer();
}

function stepsOf(instruction: string): { edit: (typeof edits)[number]; match: RegExpMatchArray }[] {
	const steps: { edit: (typeof edits)[number]; match: RegExpMatchArray; at: number }[] = [];
	let left = instruction;
	for (const edit of edits) {
		for (const match of left.matchAll(new RegExp(edit.words, 'g'))) {
			steps.push({ edit, match, at: match.index });
			left = left.replace(match[0], '#'.repeat(match[0].length));
		}
	}
	return steps.sort((one, other) => one.at - other.at);
}

/** An instruction that no rule knows still leaves its mark: a slight tint, and its words. */
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
