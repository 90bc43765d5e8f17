import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import sharp from 'sharp';
import { setUp, shipped, start } from '../support/wholeN8n/examples.mjs';
import { photo, type Fixture } from '../support/wholeN8n/fixture.mjs';

interface Picture {
	width: number;
	height: number;
	/** On each side, in percent of it. */
	margin: number;
	background: string;
}

const shipsWith: Picture = { width: 1080, height: 1080, margin: 10, background: '#ffffff' };

/** The example that puts product photos on white. */
export function onWhiteCases(fixture: Fixture): void {
	/** Runs the example on photos of these sizes, and checks where each cut-out is in its picture. */
	const assertPlaced = async (
		name: string,
		photos: Record<string, [width: number, height: number]>,
		changes: Partial<Picture>,
	) => {
		const folder = join(fixture.files, name);
		const outputFolder = join(folder, 'pictures');
		await mkdir(outputFolder, { recursive: true });
		for (const [file, [width, height]] of Object.entries(photos)) {
			const bytes = await sharp(photo).resize(width, height, { fit: 'fill' }).jpeg().toBuffer();
			await writeFile(join(folder, file), bytes);
		}
		const body = shipped(fixture, 'marketplace-photos.json');
		setUp(body, { folder, outputFolder, ...changes });
		await start(fixture, body);

		assert.deepEqual((await readdir(outputFolder)).sort(), Object.keys(photos).sort());
		const picture = { ...shipsWith, ...changes };
		for (const file of Object.keys(photos)) {
			const call = fixture.calls().find(({ files }) => files[0]?.fileName === file);
			const cutOut = await fixture.sandbox.output(call?.charge?.jobId ?? '');
			const saved = await readFile(join(outputFolder, file));
			const { format, width, height } = await sharp(saved).metadata();
			assert.deepEqual([format, width, height], ['jpeg', picture.width, picture.height]);
			const difference = await differenceOf(saved, await placed(cutOut, picture));
			assert.ok(difference < 2, `${file} differs by ${difference}`);
		}
	};

	it('Photos for a Marketplace or Instagram puts a wide cut-out that is larger than the square, and a smaller tall one, into the middle of a white square', async () => {
		await assertPlaced('white', { '1200.wide.jpg': [1200, 400], 'tall.jpg': [300, 401] }, {});
	});

	it("Photos for a Marketplace or Instagram makes another size, such as Instagram's 4:5, with another margin and color", async () => {
		const feed = { height: 1350, margin: 5, background: '#ffd9a0' };
		await assertPlaced('feed', { 'tall.jpg': [300, 700] }, feed);
	});
}

/** A cut-out in the middle of a background, as large as the margin allows. */
async function placed(cutOut: Buffer, { width, height, margin, background }: Picture) {
	const share = 1 - (2 * margin) / 100;
	const box = [width, height].map((side) => Math.round(side * share));
	const input = await sharp(cutOut).resize(box[0], box[1], { fit: 'inside' }).png().toBuffer();
	const canvas = sharp({ create: { width, height, channels: 3, background } });
	return await canvas.composite([{ input }]).png().toBuffer();
}

/** The average difference of two pictures' colors, from 0 to 255. */
async function differenceOf(one: Buffer, other: Buffer): Promise<number> {
	const [first, second] = (await Promise.all(
		[one, other].map(async (image) => await sharp(image).removeAlpha().raw().toBuffer()),
	)) as [Buffer, Buffer];
	assert.equal(first.length, second.length);
	let sum = 0;
	for (const [place, value] of first.entries()) sum += Math.abs(value - (second[place] ?? 0));
	return sum / first.length;
}
