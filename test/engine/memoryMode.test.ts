import { readFile } from 'node:fs/promises';

import { PHOTO, useFixture } from '../support/fixture';
import { text } from '../support/text';

const fixture = useFixture({}, 'default');

describe('with files in memory', () => {
	it('an image is sent and stored byte for byte', async () => {
		const photo = await fixture.photo();
		expect(photo.binary?.data?.id).toBeUndefined();

		const { rows, error } = await fixture.run(
			{ operation: 'removeBackground' },
			{ items: [photo] },
		);

		expect(error).toBeUndefined();
		expect(fixture.calls()[0]?.files[0]).toMatchObject({
			bytes: (await readFile(PHOTO)).length,
			fileName: 'astronaut.jpg',
			mimeType: 'image/jpeg',
		});
		expect(await fixture.engine.bytesOf(rows[0]?.binary?.data)).toEqual(
			await fixture.sandbox.output(text(rows[0]?.json.id)),
		);
	});

	it('an image whose base64 has line breaks is sent byte for byte', async () => {
		const bytes = await readFile(PHOTO);
		const data = bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
		const { error } = await fixture.run(
			{ operation: 'removeBackground' },
			{ items: [{ json: {}, binary: { data: { data, mimeType: 'image/jpeg' } } }] },
		);

		expect(error).toBeUndefined();
		expect(fixture.calls()[0]?.files[0]).toMatchObject({
			bytes: bytes.length,
			fileName: 'image.jpg',
		});
	});

	it('an image is found beside the JSON even in a workflow that keeps files in the JSON', async () => {
		const { error } = await fixture.run(
			{ operation: 'removeBackground', binaryPropertyName: 'photo' },
			{
				items: [{ json: {}, binary: { other: await fixture.file(), photo: await fixture.file() } }],
				settings: { binaryMode: 'combined' },
			},
		);

		expect(error).toBeUndefined();
		expect(fixture.calls()[0]?.files).toHaveLength(1);
	});

	it('a text file is rejected before any request', async () => {
		const data = await fixture.engine.store(Buffer.from('Notes'), 'notes.txt', 'text/plain');
		const { error } = await fixture.run(
			{ operation: 'removeBackground' },
			{ items: [{ json: {}, binary: { data } }] },
		);

		expect(error?.message).toBe('The file "notes.txt" is not an image (text/plain).');
		expect(fixture.calls()).toEqual([]);
	});
});
