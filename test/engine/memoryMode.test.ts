import { readFile } from 'node:fs/promises';

import { PHOTO, useFixture } from '../support/fixture';

const fixture = useFixture({}, 'default');

describe('with files in memory', () => {
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
});
