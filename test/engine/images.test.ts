import { readFile } from 'node:fs/promises';

import { PHOTO, useFixture } from '../support/fixture';
import { sha256 } from '../support/images';
import { fox, removeBackground } from '../support/runs';

const fixture = useFixture();

it('an input image can be a path into an item’s JSON if the workflow keeps files there', async () => {
	const { rows } = await fixture.run(removeBackground({ binaryPropertyName: 'files.photo' }), {
		items: [{ json: { files: { photo: await fixture.file() } } }],
		settings: { binaryMode: 'combined' },
	});

	expect(fixture.calls()[0]?.files[0]?.sha256).toBe(sha256(await readFile(PHOTO)));
	expect(rows[0]?.json._files).toMatchObject({ data: { fileName: 'astronaut-no-background.png' } });
});

it('an output image is in the field whose trimmed name is set', async () => {
	const { rows } = await fixture.run(fox({ outputPropertyName: ' cut ' }));

	expect(Object.keys(rows[0]?.binary ?? {})).toStrictEqual(['cut']);
});
