import { useHouse } from '../support/house';

const house = useHouse({ echoImages: true });

/** A dot, as small as an image gets: fewer bytes than are looked at to know its type. */
const DOT = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');

describe('an image that is whole with its first bytes', () => {
	it('goes in and comes out byte for byte', async () => {
		const data = await house.engine.store(DOT, 'dot.gif', 'image/gif');
		const { rows, error } = await house.run(
			{ operation: 'removeBackground' },
			{ items: [{ json: {}, binary: { data } }] },
		);

		expect(error).toBeUndefined();
		expect(house.calls()[0]?.files[0]?.bytes).toBe(DOT.length);
		expect(rows[0]?.binary?.data).toMatchObject({ mimeType: 'image/gif' });
		expect(await house.engine.bytesOf(rows[0]?.binary?.data)).toEqual(DOT);
	});
});
