import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

import { useFixture, type Fixture } from '../support/fixture';
import { largePng, sha256 } from '../support/images';
import { fox, removeBackground } from '../support/runs';

const cutOut = async (fixture: Fixture, data: IBinaryData) =>
	await fixture.run(removeBackground(), { items: [{ json: {}, binary: { data } }] });

describe('an image', () => {
	const fixture = useFixture({ echoImages: true });

	it('of 64 MiB is sent and stored byte for byte without being buffered', async () => {
		const bytes = largePng(64);
		const data = await fixture.engine.store(bytes, 'large.png', 'image/png');
		const storage = Container.get(BinaryDataService);
		const wholes = jest.spyOn(storage, 'getAsBuffer');
		const stores = jest.spyOn(storage, 'store');
		const { rows, error } = await cutOut(fixture, data);

		expect(error).toBeUndefined();
		expect(wholes).not.toHaveBeenCalled();
		expect(stores.mock.calls.map(([, content]) => Buffer.isBuffer(content))).toStrictEqual([false]);
		jest.restoreAllMocks();
		const hash = sha256(bytes);
		expect(fixture.calls()[0]?.files[0]).toMatchObject({ bytes: bytes.length, sha256: hash });
		expect(sha256(await fixture.engine.bytesOf(rows[0]?.binary?.data))).toBe(hash);
	});

	it('has the size in n8n’s storage if the item does not declare it, as in n8n 1', async () => {
		const data = await fixture.file();
		delete data.bytes;

		expect((await cutOut(fixture, data)).error).toBeUndefined();
		expect(fixture.charged()).toBe(1);
	});

	it.each([100, 10_000_000])(
		'ends its upload at once if its declared size is wrong, and nothing is charged: %d',
		async (bytes) => {
			const { error } = await cutOut(fixture, { ...(await fixture.file()), bytes });

			expect(error?.message).toBe(
				`The file "astronaut.jpg" can't be read: its length is not the expected ${bytes} bytes`,
			);
			expect(error?.description).toMatch(/^The service never received the whole file\. Run/);
			expect(fixture.charged()).toBe(0);
			expect(fixture.downloads()).toStrictEqual([]);
		},
	);

	it('that n8n can no longer read is not sent, and nothing is charged', async () => {
		const data = await fixture.file();
		const storage = Container.get(BinaryDataService);
		const read = storage.getAsStream.bind(storage);
		// The node reads the beginning in one chunk, to see what it is.
		const reads = jest.spyOn(storage, 'getAsStream');
		reads.mockImplementation(async (id, chunkSize) => {
			if (chunkSize === undefined) throw new Error('The disk is gone');
			return await read(id, chunkSize);
		});
		const { error } = await cutOut(fixture, data);
		reads.mockRestore();

		expect(error?.message).toBe('The file "astronaut.jpg" can\'t be read: The disk is gone');
		expect(error?.description).toMatch(/^The service never received the whole file\. Run/);
		expect(fixture.charged()).toBe(0);
	});

	it('is in the output field whose trimmed name is set', async () => {
		const { rows } = await fixture.run(fox({ outputPropertyName: ' cut ' }));

		expect(Object.keys(rows[0]?.binary ?? {})).toStrictEqual(['cut']);
	});

	it.each<[why: string, breakStorage: () => { mend: () => void }]>([
		['ENOTDIR', putFileInPlaceOfFolder],
		['ENOSPC', fillDisk],
	])(
		'that n8n cannot store (%s) is reported with its id and link and not downloaded again',
		async (why, breakStorage) => {
			// In the item itself, because the storage is broken.
			const data = { data: largePng(1).toString('base64'), mimeType: 'image/png' };
			const { mend } = breakStorage();
			const { error } = await cutOut(fixture, data);
			mend();

			expect(error?.message).toMatch(
				/^The image could not be downloaded: n8n could not store it \(/,
			);
			expect(error?.message).toContain(why);
			expect(error?.description?.split('\n')).toStrictEqual([
				expect.stringContaining('paid for'),
				...fixture.links(),
				expect.stringContaining(': it uses the finished image and buys nothing.'),
			]);
			expect(fixture.downloads()).toHaveLength(1);
			expect(fixture.charged()).toBe(1);
		},
	);
});

function putFileInPlaceOfFolder() {
	const folder = join(Container.get(BinaryDataConfig).localStoragePath, 'workflows');
	rmSync(folder, { recursive: true, force: true });
	writeFileSync(folder, '');
	return { mend: () => rmSync(folder) };
}

/** Stands in for n8n's storage on a full disk: it reads a part, and its error also ends the stream. */
function fillDisk() {
	const store = jest.spyOn(Container.get(BinaryDataService), 'store');
	store.mockImplementation(async (_location, content) => {
		const stream = content as Readable;
		await stream[Symbol.asyncIterator]().next();
		stream.destroy(new Error('aborted'));
		await new Promise(setImmediate);
		throw new Error('ENOSPC: no space left on device, write');
	});
	return { mend: () => store.mockRestore() };
}
