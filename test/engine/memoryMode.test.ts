import { readFile } from 'node:fs/promises';

import { PHOTO, useHouse } from '../support/house';
import { text } from '../support/text';

const house = useHouse({}, 'default');

describe('where n8n keeps binaries in memory', () => {
	it('an image goes in and out byte for byte', async () => {
		const photo = await house.photo();
		expect(photo.binary?.data?.id).toBeUndefined();

		const { rows, error } = await house.run({ operation: 'removeBackground' }, { items: [photo] });

		expect(error).toBeUndefined();
		expect(house.calls()[0]?.files[0]).toMatchObject({
			bytes: (await readFile(PHOTO)).length,
			fileName: 'astronaut.jpg',
			mimeType: 'image/jpeg',
		});
		expect(await house.engine.bytesOf(rows[0]?.binary?.data)).toEqual(
			await house.sandbox.output(text(rows[0]?.json.id)),
		);
	});

	it('an image whose base64 has line breaks goes in byte for byte', async () => {
		const bytes = await readFile(PHOTO);
		const data = bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
		const { error } = await house.run(
			{ operation: 'removeBackground' },
			{ items: [{ json: {}, binary: { data: { data, mimeType: 'image/jpeg' } } }] },
		);

		expect(error).toBeUndefined();
		expect(house.calls()[0]?.files[0]).toMatchObject({
			bytes: bytes.length,
			fileName: 'image.jpg',
		});
	});

	it('an image is found beside the JSON, even if the workflow keeps binaries in it', async () => {
		const { error } = await house.run(
			{ operation: 'removeBackground', binaryPropertyName: 'photo' },
			{
				items: [{ json: {}, binary: { other: await house.file(), photo: await house.file() } }],
				settings: { binaryMode: 'combined' },
			},
		);

		expect(error).toBeUndefined();
		expect(house.calls()[0]?.files).toHaveLength(1);
	});

	it('a text file is refused before any call', async () => {
		const data = await house.engine.store(Buffer.from('Notes'), 'notes.txt', 'text/plain');
		const { error } = await house.run(
			{ operation: 'removeBackground' },
			{ items: [{ json: {}, binary: { data } }] },
		);

		expect(error?.message).toBe(
			'Input Data Field Name: the file "notes.txt" is no image (text/plain).',
		);
		expect(house.calls()).toEqual([]);
	});
});
