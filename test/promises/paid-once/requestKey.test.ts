import { Readable } from 'node:stream';

import type { InputFile } from '../../../nodes/ImageGeneration/images/imageFile';
import { fileOf, isSameFile, requestKey } from '../../../nodes/ImageGeneration/recall/requestKey';
import type { JobRequest } from '../../../nodes/ImageGeneration/types';

const keyOf = (request: JobRequest) => requestKey('https://example.com', request, 1);

const edit = (file: InputFile): JobRequest => ({
	model: 'image-editor',
	textParts: { text: 'Blur it' },
	file,
});

/** A file that counts how often it is read. */
function file(bytes: string, start = bytes.slice(0, 2)) {
	const open = jest.fn(async () => Readable.from([Buffer.from(bytes)]));
	const input: InputFile = {
		name: 'a.png',
		type: 'image/png',
		size: bytes.length,
		start,
		open,
		sha256: undefined,
	};
	return { input, open };
}

describe('a file', () => {
	it('is told apart by its size and first bytes without being read', () => {
		const files = [file('abc'), file('abcd'), file('abd', 'xx')];
		const requests = files.map(({ input }) => keyOf(edit(input)));

		expect(new Set(requests).size).toBe(3);
		for (const { open } of files) expect(open).not.toHaveBeenCalled();
	});

	it('is read once if another one begins alike, and then known by its bytes', async () => {
		const [one, same, other] = [file('abcd'), file('abcd'), file('abce')];
		expect(keyOf(edit(one.input))).toBe(keyOf(edit(other.input)));
		const sha256 = await fileOf(edit(one.input));

		for (let time = 0; time < 2; time++) {
			expect(await isSameFile(edit(same.input), sha256)).toBe(true);
			expect(await isSameFile(edit(other.input), sha256)).toBe(false);
		}
		for (const { open } of [one, same, other]) expect(open).toHaveBeenCalledTimes(1);
	});

	it('is not read for a purchase whose file nobody knows', async () => {
		const { input, open } = file('abcd');

		expect(await isSameFile(edit(input), '')).toBe(true);
		expect(open).not.toHaveBeenCalled();
	});
});
