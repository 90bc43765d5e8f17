import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { INodeExecutionData } from 'n8n-workflow';

import { PHOTO, useFixture } from '../support/fixture';
import { text } from '../support/text';

const fixture = useFixture();
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const namesOf = (rows: INodeExecutionData[]) => rows.map(({ binary }) => binary?.data?.fileName);

describe('an input image', () => {
	it('can be a binary object from an earlier node', async () => {
		await fixture.run(
			{
				operation: 'removeBackground',
				binaryPropertyName: '={{ $("Items").item.binary.data }}',
			},
			{ items: [await fixture.photo()] },
		);

		expect(fixture.calls()[0]?.files[0]?.sha256).toBe(sha256(await readFile(PHOTO)));
	});

	it('can be a path into an item’s JSON if the workflow keeps files there', async () => {
		const { rows, error } = await fixture.run(
			{ operation: 'removeBackground', binaryPropertyName: 'files.photo' },
			{
				items: [{ json: { files: { photo: await fixture.file() } } }],
				settings: { binaryMode: 'combined' },
			},
		);

		expect(error).toBeUndefined();
		expect(fixture.calls()[0]?.files[0]?.sha256).toBe(sha256(await readFile(PHOTO)));
		expect(rows[0]?.json._files).toMatchObject({
			data: { fileName: 'astronaut-no-background.png' },
		});
	});
});

describe('an output image', () => {
	it.each([
		[{ operation: 'generate', prompt: 'A fox' }, 'image/jpeg', 'jpg'],
		[{ operation: 'removeBackground' }, 'image/png', 'png'],
		[{ operation: 'edit', prompt: 'Make it grayscale' }, 'image/jpeg', 'jpg'],
	])('is the service’s file byte for byte: %j', async (parameters, mimeType, fileExtension) => {
		const { rows } = await fixture.run(parameters, { items: [await fixture.photo()] });

		const id = text(rows[0]?.json.id);
		const bytes = await fixture.engine.bytesOf(rows[0]?.binary?.data);
		expect(sha256(bytes)).toBe(sha256(await fixture.sandbox.output(id)));
		expect(rows[0]?.binary?.data).toMatchObject({ mimeType, fileExtension, fileType: 'image' });
	});

	it('comes with the service’s whole job result, unknown fields included', async () => {
		fixture.sandbox.arm({ fault: 'extra-fields' });
		const { rows } = await fixture.run({ operation: 'generate', prompt: 'A fox' });

		const [{ jobId, outputUrl } = { jobId: '', outputUrl: '' }] = fixture.sandbox.ledger.slice(-1);
		expect(rows[0]?.json).toMatchObject({ id: jobId, output_url: outputUrl });
		expect(Object.keys(rows[0]?.json ?? {}).length).toBeGreaterThan(2);
	});

	it('is not downloaded if Download Image is off', async () => {
		const { rows } = await fixture.run({ operation: 'generate', prompt: 'A fox', download: false });

		expect(rows[0]?.binary).toBeUndefined();
		expect(rows[0]?.json.output_url).toMatch(/\/job-view-file\/.+\/output\.jpg$/);
		expect(fixture.downloads()).toEqual([]);
	});

	it('is put into the output field, whose name is trimmed', async () => {
		const { rows } = await fixture.run({
			operation: 'generate',
			prompt: 'A fox',
			options: { outputPropertyName: ' picture ' },
		});

		expect(Object.keys(rows[0]?.binary ?? {})).toEqual(['picture']);
	});
});

describe('the output items', () => {
	it('keep the order of the input items and are paired with them', async () => {
		const items = ['c', 'a', 'b', 'e', 'd'].map((title) => ({ json: { title } }));
		fixture.sandbox.arm({ fault: 'delay', delayMs: 150, when: 'c' });
		const { rows } = await fixture.run(
			{ operation: 'generate', prompt: '={{ $json.title }}', size: '128x128' },
			{ items },
		);

		expect(rows.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		const titles = rows.map(
			({ json }) => fixture.sandbox.ledger.find(({ jobId }) => jobId === json.id)?.fields.text,
		);
		expect(titles).toEqual(['c', 'a', 'b', 'e', 'd']);
	});

	it('hold only the result unless Include Input Fields is on', async () => {
		const items = [await fixture.photo('a.jpg', { sku: 17 })];
		const bare = await fixture.run(
			{ operation: 'removeBackground', options: { outputPropertyName: 'cut' } },
			{ items },
		);
		const full = await fixture.run(
			{
				operation: 'removeBackground',
				options: { includeInputFields: true, outputPropertyName: 'cut' },
			},
			{ items },
		);

		expect(Object.keys(bare.rows[0]?.json ?? {})).toEqual(['fileName', 'id', 'output_url']);
		expect(Object.keys(bare.rows[0]?.binary ?? {})).toEqual(['cut']);
		expect(full.rows[0]?.json).toMatchObject({ sku: 17, id: expect.any(String) as string });
		expect(full.rows[0]?.binary).toEqual({
			data: items[0]?.binary?.data,
			cut: expect.objectContaining({ fileName: 'a-no-background.png' }) as object,
		});
	});
});

describe('the default file name', () => {
	it('says what was done to which file', async () => {
		const items = [await fixture.photo('Red bicycle.JPEG')];
		const cut = await fixture.run({ operation: 'removeBackground' }, { items });
		const edited = await fixture.run({ operation: 'edit', prompt: 'Blur it' }, { items });

		expect(namesOf(cut.rows)).toEqual(['Red bicycle-no-background.png']);
		expect(namesOf(edited.rows)).toEqual(['Red bicycle-edited.jpg']);
	});

	it.each([
		['A red fox, at night', 'a-red-fox-at-night.jpg'],
		['Ein Füchslein über dem Wasser: 夜の狐', 'ein-füchslein-über-dem-wasser-夜の狐.jpg'],
		['🦊!', 'image.jpg'],
	])('is made of the prompt’s first words in any language: %s', async (prompt, name) => {
		const { rows } = await fixture.run({ operation: 'generate', prompt, size: '128x128' });

		expect(namesOf(rows)).toEqual([name]);
	});

	it('is numbered in item order, however long each file takes to check', async () => {
		const inMemory = { data: (await readFile(PHOTO)).toString('base64'), mimeType: 'image/jpeg' };
		const { rows } = await fixture.run(
			{ operation: 'removeBackground' },
			{
				items: [
					await fixture.photo(),
					{ json: {}, binary: { data: { ...inMemory, fileName: 'astronaut.jpg' } } },
					await fixture.photo(),
				],
			},
		);

		expect(namesOf(rows)).toEqual([
			'astronaut-no-background.png',
			'astronaut-no-background-2.png',
			'astronaut-no-background-3.png',
		]);
	});

	it.each([
		['hero', 'hero.jpg'],
		['hero.png', 'hero.jpg'],
		['../../etc/pass"wd\r\n', 'etc-pass-wd.jpg'],
	])('gives way to the option %j, with the extension of the real type', async (fileName, name) => {
		const { rows } = await fixture.run({
			operation: 'generate',
			prompt: 'A fox',
			options: { fileName },
		});

		expect(namesOf(rows)).toEqual([name]);
	});
});
