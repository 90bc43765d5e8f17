import { Readable } from 'node:stream';

import { StreamedFile } from '../../nodes/ImageGeneration/images/streamedFile';
import { until } from '../support/until';

async function read(file: StreamedFile): Promise<string> {
	return await new Response(file.stream()).text();
}

describe('a streamed file', () => {
	it('is read from the start for each attempt', async () => {
		const file = new StreamedFile('a.png', 'image/png', 3, async () =>
			Promise.resolve([Buffer.from('abc')]),
		);

		expect([await read(file), await read(file)]).toEqual(['abc', 'abc']);
		expect([file.name, file.type, file.size]).toEqual(['a.png', 'image/png', 3]);
	});

	it('reports why it could not be read, until it is read again', async () => {
		const abc = [Buffer.from('abc')];
		const sources = [Promise.reject(new Error('The disk is gone')), Promise.resolve(abc)];
		const file = new StreamedFile(
			'a.png',
			'image/png',
			3,
			async () => (await sources.shift()) ?? [],
		);

		await expect(read(file)).rejects.toThrow('The disk is gone');
		expect(file.readFailure?.message).toBe('The disk is gone');

		await read(file);
		expect(file.readFailure).toBeUndefined();
	});

	it.each(['ab', 'abcd'])('fails if its length is not the declared one: %j', async (content) => {
		const file = new StreamedFile('a.png', 'image/png', 3, async () =>
			Promise.resolve([Buffer.from(content)]),
		);

		await expect(read(file)).rejects.toThrow('its length is not the expected 3 bytes');
		expect(file.readFailure).toBeDefined();
	});

	it('sends no byte beyond its declared length', async () => {
		const file = new StreamedFile('a.png', 'image/png', 3, async () =>
			Promise.resolve(['ab', 'cd', 'ef'].map((chunk) => Buffer.from(chunk))),
		);
		const reader = file.stream().getReader();

		expect((await reader.read()).value).toEqual(Buffer.from('ab'));
		await expect(reader.read()).rejects.toThrow('its length is not the expected 3 bytes');
	});

	it('can be released in the middle even if its source cannot be closed', async () => {
		const file = new StreamedFile('a.png', 'image/png', 4, async () =>
			Promise.resolve(['ab', 'cd'].map((chunk) => Buffer.from(chunk))),
		);
		await file.stream().getReader().read();

		expect(() => {
			file.release();
		}).not.toThrow();
	});

	it('is released when the upload ends, which is not a read failure', async () => {
		const source = new Readable({ read() {} });
		source.push('abc');
		const file = new StreamedFile('a.png', 'image/png', 9, async () => Promise.resolve(source));
		const reader = file.stream().getReader();
		await reader.read();
		const rest = reader.read();

		file.release();

		await expect(rest).rejects.toThrow();
		expect(source.destroyed).toBe(true);
		expect(file.readFailure).toBeUndefined();
	});

	it('is closed once opened if it was released meanwhile', async () => {
		const source = new Readable({ read() {} });
		const opening: Array<(source: Readable) => void> = [];
		const open = async () => await new Promise<Readable>((resolve) => opening.push(resolve));
		const file = new StreamedFile('a.png', 'image/png', 9, open);
		const first = file.stream().getReader().read();
		await until(() => opening.length === 1);
		file.release();
		opening[0]?.(source);

		await expect(first).rejects.toThrow();
		expect(source.destroyed).toBe(true);
		expect(file.readFailure).toBeUndefined();
	});

	it('can be sent again after its release', async () => {
		const open = async () => await Promise.resolve([Buffer.from('abc')]);
		const file = new StreamedFile('a.png', 'image/png', 3, open);
		file.forRequest(() => {}).release();

		expect(await read(file.forRequest(() => {}))).toBe('abc');
	});

	it('reports progress with each chunk and once after the last', async () => {
		const chunks = ['ab', 'cd'].map((chunk) => Buffer.from(chunk));
		const file = new StreamedFile('a.png', 'image/png', 4, async () => Promise.resolve(chunks));
		const onRead = jest.fn();
		await read(file.forRequest(onRead));

		expect(onRead).toHaveBeenCalledTimes(3);
	});

	it('is hashed while it is sent, so that it is read only once', async () => {
		const open = jest.fn(async () => await Promise.resolve([Buffer.from('abc')]));
		const file = new StreamedFile('a.png', 'image/png', 3, open);
		await read(file.forRequest(() => {}));

		const sha256 = 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0';
		expect(await file.sha256()).toBe(sha256);
		expect(open).toHaveBeenCalledTimes(1);
		expect(await new StreamedFile('b', 'image/png', 3, open).sha256()).toBe(sha256);
	});
});
