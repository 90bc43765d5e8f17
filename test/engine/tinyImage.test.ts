import { useFixture } from '../support/fixture';

const fixture = useFixture({ echoImages: true });

/** The smallest possible GIF, shorter than the bytes read to detect its type. */
const DOT = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');

describe('an image shorter than the bytes read to detect its type', () => {
	it('is sent and stored byte for byte', async () => {
		const data = await fixture.engine.store(DOT, 'dot.gif', 'image/gif');
		const { rows, error } = await fixture.run(
			{ operation: 'removeBackground' },
			{ items: [{ json: {}, binary: { data } }] },
		);

		expect(error).toBeUndefined();
		expect(fixture.calls()[0]?.files[0]?.bytes).toBe(DOT.length);
		expect(rows[0]?.binary?.data).toMatchObject({ mimeType: 'image/gif' });
		expect(await fixture.engine.bytesOf(rows[0]?.binary?.data)).toEqual(DOT);
	});
});
