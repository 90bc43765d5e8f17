import sharp from 'sharp';
import { backgroundRemover } from '../../sandbox/tools/backgroundRemover';
import { imageEditor } from '../../sandbox/tools/imageEditor';
import type { Fields } from './clients';
import { astronaut, disc, make, pixel } from './pictures';

let photo: Buffer;
beforeAll(async () => {
	photo = await disc();
});

const edited = async (text: string, more: Fields = {}, image = photo) =>
	(await make(imageEditor, { text, ...more }, image)).picture;
const cutOut = async (image: Buffer) => (await make(backgroundRemover, {}, image)).picture;

describe('background-remover', () => {
	it('cuts out the astronaut and leaves no colours where the cut-out is transparent', async () => {
		const cut = await cutOut(await astronaut());
		const { data, info } = await sharp(cut).raw().toBuffer({ resolveWithObject: true });
		const alphaAt = (x: number, y: number) => data[(y * info.width + x) * info.channels + 3];
		const points = (list: string) => list.split(' ').map((point) => point.split(',').map(Number));
		const person = points('225,40 225,130 225,210 120,330 250,300 320,320 180,450');
		const background = points('10,10 30,60 20,200 110,60 330,60 400,40 400,200 480,200 450,300');
		for (const [x = 0, y = 0] of person) expect([x, y, alphaAt(x, y)]).toStrictEqual([x, y, 255]);
		for (const [x = 0, y = 0] of background) expect([x, y, alphaAt(x, y)]).toStrictEqual([x, y, 0]);

		const hidden = data.filter((_, at) => at % 4 < 3 && data[at - (at % 4) + 3] === 0);
		expect(hidden.length).toBeGreaterThan(100_000);
		expect(hidden.every((value) => value === 0)).toBe(true);
		expect(cut.length).toBeLessThan(360_000);
	});
});

describe('an instruction', () => {
	const near = (colour: number[], other: number[], limit = 14) =>
		colour.every((value, channel) => Math.abs(value - (other[channel] ?? 0)) < limit);
	const red = [204, 34, 34];

	it.each([
		['rotate it left', 64, 96, [34, 55]],
		['rotate right', 64, 96, [29, 40]],
		['turn upside down', 96, 64, [55, 29]],
		['mirror', 96, 64, [55, 34]],
		['flip vertically', 96, 64, [40, 29]],
		['crop to a square', 64, 64, [24, 34]],
		['add a white border', 104, 72, [44, 38]],
		['rotate left, then mirror', 64, 96, [29, 55]],
	])('moves the pixels: %s', async (text, width, height, [x = 0, y = 0]) => {
		const image = await edited(text);
		expect(await sharp(image).metadata()).toMatchObject({ width, height });
		expect(near(await pixel(image, x, y), red)).toBe(true);
	});

	/** How a colour of the picture must look after an edit, here that of its disc. */
	const changes: Array<[string, (red: number, green: number, blue: number) => boolean]> = [
		['make it black and white', (r, g, b) => near([r, g, b], [85, 85, 85])],
		['sepia please', (r, g, b) => r > g && g > b],
		['invert the colours', (r, g, b) => near([r, g, b], [51, 221, 221])],
		['darker', (r) => r < 150],
		['brighter', (r, g) => r + g > 250],
		['make the image blue', (r, _g, b) => b > r],
		['less saturated', (r, g) => r - g < 140],
		['more contrast', (r, g) => r - g > 180],
	];
	it.each(changes)('changes the colours: %s', async (text, holds) => {
		const [r = 0, g = 0, b = 0] = await pixel(await edited(text), 40, 34);
		expect([r, g, b, holds(r, g, b)]).toStrictEqual([r, g, b, true]);
	});

	it('always changes the picture in the same way, and adds a note, if it is not understood', async () => {
		expect((await make(imageEditor, { text: 'blur it' }, photo)).note).toBeUndefined();
		const { picture: one, note } = await make(imageEditor, { text: 'add a hat' }, photo);
		expect(note).toBe(
			'The sandbox did not understand the whole instruction, so it added the text as a caption.',
		);
		const two = await edited('add a hat');
		expect(one.equals(two)).toBe(true);
		const before = await sharp(photo).flatten().raw().toBuffer();
		const after = await sharp(one).raw().toBuffer();
		const changed = after.filter((value, index) => Math.abs(value - (before[index] ?? 0)) > 8);
		expect(changed.length).toBeGreaterThan(before.length / 20);
	});
});
