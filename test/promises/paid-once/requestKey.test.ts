import { Readable } from 'node:stream';

import type { InputFile } from '../../../nodes/ImageGeneration/images/imageFile';
import {
	fileOf,
	hasSameFile,
	instructionOf,
	isCutOut,
	isSameFile,
	requestKey,
} from '../../../nodes/ImageGeneration/recall/requestKey';
import type { JobRequest } from '../../../nodes/ImageGeneration/types';

const ORIGIN = 'https://example.com';
const keyOf = (request: JobRequest) => requestKey(ORIGIN, request, 1);

/** A request of Edit for a file or an address. */
function edit(image: InputFile | string, more: Record<string, string> = {}): JobRequest {
	const textParts = { text: 'Blur it', ...more };
	return typeof image === 'string'
		? { model: 'image-editor', textParts: { ...textParts, image } }
		: { model: 'image-editor', textParts, file: image };
}

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

describe('the address of an image is the same', () => {
	const S3 = 'https://b.s3.amazonaws.com/photo.png?v=2&X-Amz-Date=';
	const rest = '&X-Amz-Credential=a&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=';

	it.each([
		['of Amazon', `${S3}20261127T000000Z${rest}aaa`, `${S3}20261128T000000Z${rest}bbb`],
		[
			'of Amazon in the older way',
			'https://b.s3.amazonaws.com/a.png?AWSAccessKeyId=k&Expires=1&Signature=a',
			'https://b.s3.amazonaws.com/a.png?AWSAccessKeyId=k&Expires=2&Signature=b',
		],
		[
			'of Google',
			'https://storage.googleapis.com/b/a.png?X-Goog-Date=1&X-Goog-Expires=9&X-Goog-Signature=a',
			'https://storage.googleapis.com/b/a.png?X-Goog-Date=2&X-Goog-Expires=9&X-Goog-Signature=b',
		],
		[
			'of Azure',
			'https://a.blob.core.windows.net/b/a.png?sv=2024-11-04&se=2026-11-28&sr=b&sp=r&sig=a%3D',
			'https://a.blob.core.windows.net/b/a.png?sv=2024-11-04&se=2026-11-29&sr=b&sp=r&sig=b%3D',
		],
	])('under another signature %s', (_service, one, other) => {
		expect(keyOf(edit(one))).toBe(keyOf(edit(other)));
	});

	it.each([
		['another file', `${S3}1${rest}a`, `${S3.replace('photo', 'other')}1${rest}a`],
		['another version', `${S3}1${rest}a`, `${S3.replace('v=2', 'v=3')}1${rest}a`],
		['what is no signature', 'https://a.test/a?expires=1', 'https://a.test/a?expires=2'],
		['what is no signature, with one letter', 'https://a.test/a?sp=1', 'https://a.test/a?sp=2'],
		[
			'what is no signature, beside one',
			'https://a.test/a?st=1&sig=a',
			'https://a.test/a?st=2&sig=a',
		],
		[
			'what belongs to another kind of signature',
			`${S3}1${rest}a&expires=1`,
			`${S3}1${rest}a&expires=2`,
		],
	])('but not with %s', (_what, one, other) => {
		expect(keyOf(edit(one))).not.toBe(keyOf(edit(other)));
	});
});

it('a request is the same in whatever order its parts stand, and another one with another part', () => {
	const one = edit('https://a.test/a', { one: '1', two: '2' });

	expect(keyOf(edit('https://a.test/a', { two: '2', one: '1' }))).toBe(keyOf(one));
	expect(keyOf(edit('https://a.test/a', { one: '1' }))).not.toBe(keyOf(one));
});

describe('a request is another one', () => {
	const fox: JobRequest = { model: 'text2img', textParts: { text: 'A fox' } };

	it('with another service, such as the sandbox, tool or number among equal ones', () => {
		const others = [
			requestKey('http://localhost:8080', fox, 1),
			requestKey(ORIGIN, { ...fox, model: 'image-editor' }, 1),
			requestKey(ORIGIN, fox, 2),
		];

		expect(new Set([keyOf(fox), ...others]).size).toBe(4);
	});

	it('but has the same instruction, whatever its image and its number', () => {
		const one = edit('https://a.test/a');

		expect(instructionOf(edit('https://a.test/b'))).toBe(instructionOf(one));
		expect(instructionOf(edit(file('abc').input))).toBe(instructionOf(one));
		expect(instructionOf(edit('https://a.test/a', { text: 'Rotate it' }))).not.toBe(
			instructionOf(one),
		);
	});
});

it.each([
	['text2img', false],
	['image-editor', false],
	['background-remover', true],
])('%s makes nothing new of the same image: %p', (model, expected) => {
	expect(isCutOut({ model })).toBe(expected);
});

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

	it('counts as the same in the last tick before it is sent if its hash is known, or the other one is not', async () => {
		const request = edit(file('abcd').input);
		expect(hasSameFile(request, 'another hash')).toBe(false);
		const sha256 = await fileOf(request);

		expect(hasSameFile(request, sha256)).toBe(true);
		expect(hasSameFile(request, '')).toBe(true);
		expect(hasSameFile(request, 'another hash')).toBe(false);
	});

	it('that n8n can’t read has no hash, and the paid request says why', async () => {
		const { input, open } = file('abcd');
		open.mockRejectedValue(new Error('Lost'));

		expect(await fileOf(edit(input))).toBe('');
	});
});
