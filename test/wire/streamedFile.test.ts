import { Readable } from 'node:stream';

import { streamedFile, type InputFile } from '../../nodes/ImageGeneration/images/imageFile';
import { Deadline } from '../../nodes/ImageGeneration/wait';

const read = async (file: File) => await new Response(file.stream()).text();

const inputFile = (size: number, open: InputFile['open']): InputFile => ({
	name: 'a.png',
	type: 'image/png',
	size,
	start: '',
	open,
	sha256: undefined,
});

let request: Deadline;
beforeEach(() => (request = new Deadline(60)));
const streamed = (size: number, open: InputFile['open']) =>
	streamedFile(inputFile(size, open), request, () => {});

/** A file of this length whose source yields these chunks. */
const fileOf = (size: number, ...chunks: string[]) =>
	streamed(size, async () => chunks.map((chunk) => Buffer.from(chunk)));

describe('a streamed file', () => {
	it('reports why it could not be read', async () => {
		const file = streamed(3, async () => await Promise.reject(new Error('The disk is gone')));
		const message = 'The file "a.png" can\'t be read: The disk is gone';

		await expect(read(file)).rejects.toThrow(message);
		expect(request.signal.reason).toMatchObject({ failure: { kind: 'unexpected', message } });
	});

	it('sends no byte beyond its declared length', async () => {
		const reader = fileOf(3, 'ab', 'cd', 'ef').stream().getReader();

		expect((await reader.read()).value).toStrictEqual(Buffer.from('ab'));
		await expect(reader.read()).rejects.toThrow('its length is not the expected 3 bytes');
	});

	const moments = ['before it is open', 'in the middle'];

	it.each(moments)('is closed if its request ends %s, which it did not cause', async (when) => {
		const source = new Readable({ read() {} });
		let opened: (source: Readable) => void = () => {};
		const opening = new Promise<Readable>((resolve) => (opened = resolve));
		const file = streamed(9, async () => await opening);
		const reader = file.stream().getReader();
		let rest = reader.read();
		if (when === 'in the middle') {
			source.push('abc');
			opened(source);
			await rest;
			rest = reader.read();
		}
		request.end();
		opened(source);

		await expect(rest).rejects.toThrow();
		expect(source.destroyed).toBe(true);
		expect(request.signal.reason).toStrictEqual(new Error('the request has ended'));
	});
});
