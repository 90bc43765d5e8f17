import type { IBinaryData } from 'n8n-workflow';

import { readImage } from '../../nodes/ImageGeneration/fields/image';

const BASE64 = Buffer.from('An image').toString('base64');

function byUrl(imageUrl: unknown) {
	const values: Record<string, unknown> = { inputType: 'url', imageUrl };
	return readImage(
		(name) => values[name],
		() => {
			throw new Error('No binary was asked for');
		},
	);
}

describe('an image by its address', () => {
	it.each([
		['https://example.com/a/fox.jpg', 'fox.jpg'],
		['HTTP://example.com/fox.jpg', 'fox.jpg'],
		['https://example.com/fox%20one.jpg?size=2', 'fox one.jpg'],
		['https://example.com/100%.jpg', '100%.jpg'],
		['https://example.com', ''],
	])('goes out as it is, and has the name of its last part: %s', (address, name) => {
		expect(byUrl(address)).toEqual({ address, name });
		expect(byUrl(` ${address}\n`)).toEqual({ address, name });
	});

	it.each([
		'ftp://example.com/a.jpg',
		'example.com/a.jpg',
		'see https://example.com/a.jpg',
		'http:/example.com/a.jpg',
		'http://[',
		`see data:image/png;base64,${BASE64}`,
	])('is refused unless it is a full one: %s', (address) => {
		expect(() => byUrl(address)).toThrow(
			`Image URL is ${JSON.stringify(address)}. Allowed: a full address that starts with http:// or https://.`,
		);
	});
});

describe('an image in a data: address', () => {
	it.each([
		`data:image/png;base64,${BASE64}`,
		`DATA:image/png;base64,${BASE64}`,
		`data:image/png;charset=utf-8; BASE64 ,${BASE64}`,
		`data:image/png;base64,${BASE64.slice(0, 5)}\r\n  ${BASE64.slice(5)}`,
	])('is read where it is base64: %j', (address) => {
		expect(byUrl(address)).toEqual({
			file: { kind: 'dataUrl', mimeType: 'image/png', base64: BASE64 },
			name: 'image',
		});
	});

	it('may come without a type', () => {
		expect(byUrl(`data:;base64,${BASE64}`)).toMatchObject({ file: { mimeType: '' } });
	});

	it.each([
		'data:image/png;base64',
		`data:image/png,${BASE64}`,
		`data:image/png;base64;x,${BASE64}`,
		'data:image/png;base64,',
		`data:image/png;base64,-${BASE64}`,
		`data:image/png;base64,${BASE64}-`,
		'data:image/png;base64,AAAA===',
	])('is refused where it is not: %s', (address) => {
		expect(() => byUrl(address)).toThrow(
			`Image URL is ${JSON.stringify(address)}. A data: address must hold an image in base64.`,
		);
	});
});

describe('an image in a binary field', () => {
	it('is the one that the field stands for, under its name', () => {
		const read = (name: string) => ({ inputType: 'binary', binaryPropertyName: 'photo' })[name];
		const named: IBinaryData = { data: '', mimeType: 'image/png', fileName: 'fox.png' };
		const bare: IBinaryData = { data: '', mimeType: 'image/png' };

		expect(readImage(read, (value) => (value === 'photo' ? named : bare))).toEqual({
			file: { kind: 'binary', binary: named },
			name: 'fox.png',
		});
		expect(readImage(read, () => bare)).toMatchObject({ name: 'image' });
	});

	it('is the only other way', () => {
		expect(() => readImage(() => 'mail', jest.fn())).toThrow(
			'Image Source is "mail". Allowed: binary, url.',
		);
	});
});
