import { useFixture } from '../support/fixture';

const fixture = useFixture({ echoImages: true });

/** A dot, as small as an image gets: fewer bytes than are looked at to know its type. */
const DOT = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');

describe('an image that is whole with its first bytes', () => {
	it('goes in and comes out byte for byte', async () => {
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
