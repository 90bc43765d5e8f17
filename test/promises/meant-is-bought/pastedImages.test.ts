import { PIXEL } from '../../support/images';
import {
	DATA,
	byName,
	byUrl,
	image,
	images,
	partsOf,
	placesOf,
	sourcesOf,
} from '../../support/planImages';

/** What the node checks of a PNG, in base64. */
const PNG = Buffer.from(`\x89PNG\r\n\x1a\n${'\0'.repeat(2000)}`, 'latin1').toString('base64');

describe('Image URL', () => {
	it.each([
		['base64', DATA],
		['base64 wrapped into lines', DATA.replace(/.{40}/g, '$&\r\n')],
		['base64 of a PNG', PNG],
	])('is sent as a file if it is an image in %s', async (_what, address) => {
		expect(partsOf(await byUrl(address))).toStrictEqual([
			expect.stringMatching(/^image\.(gif|png)$/),
		]);
	});

	it('is refused if an image in base64 goes on with something else', async () => {
		expect(partsOf(await byUrl(`${PNG}!`))).toStrictEqual([
			`'Image URL' is "${PNG.slice(0, 79)}…". Allowed: an address starting with http:// or https://, or an image in base64.`,
		]);
	});

	it.each([
		['text', Buffer.from('{"a":"text"}'.repeat(9))],
		['a PDF', Buffer.from('%PDF-1.7 a text of some length')],
		['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>')],
	])('is refused if the base64 is that of %s', async (_what, bytes) => {
		const [part] = partsOf(await byUrl(bytes.toString('base64')));
		expect(part).toContain('Allowed: an address');
	});

	it('is refused if a form has made spaces of the plus signs in its base64', async () => {
		const spaced = `${PNG.slice(0, 400)} ${PNG.slice(401)}`;

		expect(partsOf(await byUrl(spaced))).toStrictEqual([
			'The file "image" has spaces where its base64 had plus signs.',
		]);
	});

	it.each([
		`DATA:image/gif;base64,${DATA}`,
		`data:image/gif;charset=utf-8; BASE64 ,${DATA}`,
		`data:;base64,${DATA}`,
		`data:image/gif;base64, ${DATA.slice(0, 40)}\n  ${DATA.slice(40)} `,
		`data:image/gif;base64,${DATA.slice(0, 5)}\r\n${DATA.slice(5)}`,
	])('is sent as a file if it is a data: address with base64: %j', async (address) => {
		const rows = await byUrl(address);

		expect(placesOf(rows)).toMatchObject([{ label: 'image' }]);
		expect(partsOf(rows)).toStrictEqual(['image.gif']);
	});

	it.each([
		'data:a/b;base64',
		'data:a/b,AAAA',
		'data:;base64;x,AAAA',
		'data:;base64',
		'data:;base64,AAAA!',
		'data:;base64,AAAA===',
	])('is refused if it is a data: address without an image in base64: %s', async (address) => {
		expect(partsOf(await byUrl(address))).toStrictEqual([
			`'Image URL' is "${address}". Allowed: an address starting with http:// or https://, or an image in base64.`,
		]);
	});
});

describe('Input Data Field Name(s)', () => {
	const binary = images('front', 'back', 'side');

	it.each<[what: string, value: unknown, count: number]>([
		['an image in base64', DATA, 1],
		['a data: address', `data:image/gif;base64,${DATA}`, 1],
		[
			'a data: address that is wrapped',
			`data:image/gif;base64,\n${DATA.slice(0, 20)}\n${DATA.slice(20)}`,
			1,
		],
		['a list of both', [DATA, `data:;base64,${DATA}`], 2],
		['a list in which it stands twice', [DATA, DATA], 1],
	])('takes %s, which is an image itself', async (_what, value, count) => {
		expect(partsOf(await byName(value, binary))).toStrictEqual(Array(count).fill('image.gif'));
	});

	it.each([
		['numbers', [...PIXEL], /^image\.gif$/],
		['texts', Array.from(PIXEL, String), /must be a field name or a file/],
		['lists', Array.from(PIXEL, (byte) => [byte]), /must be a field name or a file/],
	])('takes a Buffer as JSON if its bytes are numbers: %s', async (_what, data, part) => {
		expect(partsOf(await byName({ type: 'Buffer', data }, binary))).toStrictEqual([
			expect.stringMatching(part),
		]);
	});

	it('takes the file of a field even if its name is an image in base64', async () => {
		const rows = await byName(DATA, { [DATA]: image({ fileName: 'fox.gif' }) });

		expect(placesOf(rows)).toMatchObject([{ label: 'fox.gif' }]);
	});

	it('shows only the beginning of an image in base64', async () => {
		const long = PIXEL.toString('base64') + 'AAAA'.repeat(1000);

		expect(sourcesOf(await byName([long], binary))).toStrictEqual([`${long.slice(0, 199)}…`]);
	});
});
