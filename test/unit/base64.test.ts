import fc from 'fast-check';
import sharp from 'sharp';

import { base64Pieces } from '../../nodes/ImageGeneration/images/base64';
import { restoreBase64 } from '../../nodes/ImageGeneration/plan/restoreBase64';
import { fuzz, SEED } from '../support/fuzz';

const FORMATS = ['png', 'jpeg', 'webp', 'gif'] as const;
const pictures = new Map<string, string>();

beforeAll(async () => {
	for (const format of FORMATS) {
		const bytes = await sharp('examples/photos/astronaut.jpg')
			.resize(90)
			.toFormat(format)
			.toBuffer();
		pictures.set(format, bytes.toString('base64'));
	}
});
const pictureAs = (format: string) => pictures.get(format) ?? '';
const restored = (text: string) => restoreBase64('Image URL', text, text.length);

describe.each(FORMATS)('base64 of a %s', (format) => {
	it('is left as it is, and loses the line ends of whoever wrapped it', () => {
		const whole = pictureAs(format);
		const wrappedBy = (end: string) => whole.replace(/.{76}/g, `$&${end}`);

		expect(restored(whole)).toBe(whole);
		for (const end of ['\n', '\r\n', '\n  ', ' ']) expect(restored(wrappedBy(end))).toBe(whole);
		expect(restored(wrappedBy(' ').replaceAll(' ', '\n').replace('\n', '\n\n'))).toBe(whole);
	});

	it('gets its plus signs back if a form made spaces of them', () => {
		const whole = pictureAs(format);
		const form = new URLSearchParams(`image=${whole}`).get('image') ?? '';

		expect(form).toMatch(/\w \w/);
		expect(restored(form)).toBe(whole);
		// Also if it is wrapped, as long as none of them stood at the end of a line.
		expect(restored(form.replace(/.{70}\w*\w(?=\w)/g, '$&\r\n'))).toBe(whole);
	});

	it(`is refused wherever it is cut, with its plus signs or without them (seed ${SEED})`, () => {
		const whole = pictureAs(format);
		// The last characters may be no part of the end.
		fc.assert(
			fc.property(fc.integer({ min: 100, max: whole.length - 12 }), (length) => {
				const cut = whole.slice(0, length);
				expect(() => restored(cut)).toThrow('its end is missing');
				if (!cut.trimEnd().includes('+')) return;
				expect(() => restored(cut.replaceAll('+', ' '))).toThrow(/end is missing|plus signs/);
			}),
			fuzz(50),
		);
	});

	it('is refused if it has lost its plus signs and more, or if its end is not where the text ends', () => {
		const lost = pictureAs(format).replaceAll('+', ' ');
		const longer = lost.replace(/=+$/, 'A').replace(/$/, 'A'.repeat(40));

		expect(() => restored(longer)).toThrow('has spaces where plus signs were');

		expect(() => restored(lost.replace(/ /, ''))).toThrow(
			"The image in base64 in 'Image URL' has spaces where plus signs were, and it is unclear where.",
		);
	});
});

it.each([
	[32_767, ', which is all that a cell of Excel holds.'],
	[50_000, ', which is all that a cell of Google Sheets holds.'],
	[65_535, ', which is all that a TEXT column of MySQL holds.'],
	[100_000, ', which is all that a cell of Airtable holds.'],
	[60_000, '.'],
])('base64 that is cut after %d characters says why', async (length, reason) => {
	const bytes = await sharp('examples/photos/astronaut.jpg').resize(512).png().toBuffer();
	const cell = `data:image/png;base64,${bytes.toString('base64')}`.slice(0, length);

	expect(() => restoreBase64('Image URL', cell.slice(22), cell.length)).toThrow(
		`The image in base64 in 'Image URL' is cut off: its end is missing after ${length.toLocaleString('en')} characters${reason}`,
	);
});

it('base64 of a type without an end is left as it is, but not with spaces in it', async () => {
	const bytes = await sharp('examples/photos/astronaut.jpg').resize(40).tiff().toBuffer();
	const whole = bytes.toString('base64').replaceAll('+', '/');

	expect(restored(whole.slice(0, -40))).toBe(whole.slice(0, -40));
	expect(restored(whole.replace(/.{64}/g, '$& '))).toBe(whole);
	expect(() => restored(whole.replaceAll('/', ' '))).toThrow('has spaces where plus signs were');
});

/** Base64 of as many characters whose bytes begin like an image of a type that marks no end. */
const endless = (begin: Buffer, characters: number) =>
	Buffer.concat([begin, Buffer.alloc(characters, 7)])
		.toString('base64')
		.slice(0, characters);

describe('base64 of a type that marks no end', () => {
	const begin = Buffer.from('II*\0\x08\0\0\0', 'latin1');

	it.each([32_767, 50_000, 65_535, 100_000])(
		'is refused if it fills a cell of %d characters',
		(limit) => {
			const text = endless(begin, limit);

			expect(() => restored(text)).toThrow('is cut off: its end is missing after');
			expect(() => restoreBase64('Image URL', text.slice(0, -23), limit)).toThrow('is cut off');
			for (const other of [limit - 1, limit + 1]) {
				expect(restored(endless(begin, other))).toBe(endless(begin, other));
			}
		},
	);

	it('is left as it is if its padding says that it is whole', () => {
		const text = `${endless(begin, 49_999)}=`;

		expect(restored(text)).toBe(text);
	});
});

const LONG = Buffer.alloc(200_000, 'A file that is longer than a few pieces. ');
const base64 = LONG.toString('base64');
const decoded = (text: string) => Buffer.concat([...base64Pieces(text)]);

describe('base64 that is decoded piece by piece', () => {
	it.each([
		['with padding', base64],
		['without padding', base64.replace(/=/g, '')],
		['in lines of 76 characters', base64.replace(/.{76}/g, '$&\r\n')],
		['with one space in the middle', `${base64.slice(0, 90_001)} ${base64.slice(90_001)}`],
		['for addresses', base64.replaceAll('+', '-').replaceAll('/', '_')],
		['of one character too many', `${base64.slice(0, 400)}a`],
		['that goes on after its padding', `${base64.slice(0, 90_000)}==${base64}`],
		['of nothing', ''],
	])('has the bytes of the whole: %s', (_what, text) => {
		expect(decoded(text)).toStrictEqual(Buffer.from(text, 'base64'));
	});

	it('comes in pieces of 64 KiB at most', () => {
		const pieces = [...base64Pieces(base64)];

		expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
		expect(pieces.length).toBeLessThanOrEqual(6);
	});
});
