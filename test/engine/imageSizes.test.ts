import { createHash } from 'node:crypto';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { useFixture } from '../support/fixture';
import { largePng } from '../support/images';

const fixture = useFixture({ echoImages: true });
/** The smallest possible GIF, shorter than the bytes read to detect its type. */
const DOT = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('an image of 64 MiB', () => {
	it('is sent and stored byte for byte without being buffered', async () => {
		const bytes = largePng(64);
		const data = await fixture.engine.store(bytes, 'large.png', 'image/png');
		const storage = Container.get(BinaryDataService);
		const wholes = jest.spyOn(storage, 'getAsBuffer');
		const stores = jest.spyOn(storage, 'store');

		const { rows, error } = await fixture.run(
			{ operation: 'removeBackground' },
			{ items: [{ json: {}, binary: { data } }] },
		);

		expect(error).toBeUndefined();
		expect(wholes).not.toHaveBeenCalled();
		expect(stores.mock.calls.map(([, content]) => Buffer.isBuffer(content))).toEqual([false]);
		jest.restoreAllMocks();
		expect(fixture.calls()[0]?.files[0]).toMatchObject({
			bytes: bytes.length,
			sha256: sha256(bytes),
		});
		expect(sha256(await fixture.engine.bytesOf(rows[0]?.binary?.data))).toBe(sha256(bytes));
	});
});

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

async function cutOut(bytes: number | undefined) {
	const data = await fixture.file();
	if (bytes === undefined) delete data.bytes;
	else data.bytes = bytes;
	return await fixture.run(
		{ operation: 'removeBackground' },
		{ items: [{ json: {}, binary: { data } }] },
	);
}

describe('an image’s declared size', () => {
	it('is read from n8n’s storage if the item does not declare it, as in n8n 1', async () => {
		const { error } = await cutOut(undefined);

		expect(error).toBeUndefined();
		expect(fixture.charged()).toBe(1);
	});

	it.each([100, 10_000_000])(
		'ends the upload at once if it is wrong, and nothing is charged: %d',
		async (bytes) => {
			const { error } = await cutOut(bytes);

			expect(error?.message).toBe(
				`The file "astronaut.jpg" can't be read: its length is not the expected ${bytes} bytes`,
			);
			expect(fixture.charged()).toBe(0);
			expect(fixture.downloads()).toEqual([]);
		},
	);
});
