import { readFile } from 'node:fs/promises';

import { PHOTO, useFixture } from '../support/fixture';
import { sha256 } from '../support/images';
import { fox, removeBackground } from '../support/runs';
import { text } from '../support/text';

const fixture = useFixture();

it('an input image can be a path into an item’s JSON if the workflow keeps files there', async () => {
	const { rows } = await fixture.run(removeBackground({ binaryPropertyName: 'files.photo' }), {
		items: [{ json: { files: { photo: await fixture.file() } } }],
		settings: { binaryMode: 'combined' },
	});

	expect(fixture.calls()[0]?.files[0]?.sha256).toBe(sha256(await readFile(PHOTO)));
	expect(rows[0]?.json._files).toMatchObject({ data: { fileName: 'astronaut-no-background.png' } });
});

describe('an output image', () => {
	it.each([
		[fox(), 'image/jpeg', 'jpg'],
		[removeBackground(), 'image/png', 'png'],
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
		const { rows } = await fixture.run(fox());

		const [job] = fixture.charges();
		expect(rows[0]?.json).toMatchObject({ id: job?.jobId, output_url: job?.outputUrl });
		expect(Object.keys(rows[0]?.json ?? {}).length).toBeGreaterThan(3);
	});

	it('comes without the input unless Include Input Fields is on, in the field whose trimmed name is set', async () => {
		const photo = await fixture.photo('a.jpg', { sku: 17 });
		const run = async (includeInputFields: boolean) => {
			const options = { includeInputFields, outputPropertyName: ' cut ' };
			const { rows } = await fixture.run(removeBackground({ options }), { items: [photo] });
			return rows[0];
		};
		const [bare, full] = [await run(false), await run(true)];

		expect(Object.keys(bare?.json ?? {})).toEqual(['fileName', 'id', 'output_url']);
		expect(Object.keys(bare?.binary ?? {})).toEqual(['cut']);
		expect(full?.json).toMatchObject({ sku: 17, id: expect.any(String) as string });
		expect(full?.binary).toEqual({
			data: photo.binary?.data,
			cut: expect.objectContaining({ fileName: 'a-no-background.png' }) as object,
		});
	});
});
