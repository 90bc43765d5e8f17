import { base64Pieces } from '../../../nodes/ImageGeneration/images/base64';

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
