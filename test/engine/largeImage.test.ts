import { createHash } from 'node:crypto';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { useFixture } from '../support/fixture';
import { largePng } from '../support/images';

const fixture = useFixture({ echoImages: true });
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
