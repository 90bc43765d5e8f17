import { fieldReader } from '../../nodes/ImageGeneration/fields/field';
import { imageFields, readImageChoice } from '../../nodes/ImageGeneration/fields/image';
import { readAddress } from '../../nodes/ImageGeneration/fields/imageAddress';

const BASE64 = Buffer.from('An image').toString('base64');
const PNG = `data:image/png;base64,${BASE64}`;

/** Reads the image choice of an item that has files in `fields`. */
function choiceOf(values: Record<string, unknown>, ...fields: string[]) {
	return readImageChoice(
		fieldReader(imageFields, (name) => values[name]),
		(name) => fields.includes(name),
	);
}
const byName = (binaryPropertyName: unknown, ...fields: string[]) =>
	choiceOf({ inputType: 'binary', binaryPropertyName }, ...fields);
const byUrl = (imageUrl: unknown) => choiceOf({ inputType: 'url', imageUrl });

describe('an image URL', () => {
	it.each([
		['https://example.com/a/fox.jpg', 'fox.jpg'],
		['HTTP://example.com/fox.jpg', 'fox.jpg'],
		['https://example.com/fox%20one.jpg?size=2', 'fox one.jpg'],
		['https://example.com/100%.jpg', '100%.jpg'],
		['https://example.com', ''],
	])('is sent as written and named after its last part: %s', (address, name) => {
		expect(readAddress(address)).toEqual({ name });
		expect(byUrl(` ${address}\n`)).toEqual({
			from: 'addresses',
			addresses: [address],
			isList: false,
		});
	});

	it.each([
		'ftp://example.com/a.jpg',
		'example.com/a.jpg',
		'see https://example.com/a.jpg',
		'http:/example.com/a.jpg',
		'http://[',
		`see ${PNG}`,
	])('is rejected unless it is a full address: %s', (address) => {
		expect(() => readAddress(address)).toThrow(
			`'Image URL' is ${JSON.stringify(address)}. Allowed: a full address starting with http:// or https://.`,
		);
	});
});

describe('a data: URL', () => {
	it.each([
		PNG,
		`DATA:image/png;base64,${BASE64}`,
		`data:image/png;charset=utf-8; BASE64 ,${BASE64}`,
		`data:image/png;base64,${BASE64.slice(0, 5)}\r\n  ${BASE64.slice(5)}`,
	])('is read if it is base64: %j', (address) => {
		expect(readAddress(address)).toEqual({
			file: { mimeType: 'image/png', data: BASE64 },
			name: 'image',
		});
	});

	it('may omit its type', () => {
		expect(readAddress(`data:;base64,${BASE64}`)).toMatchObject({ file: { mimeType: '' } });
	});

	it.each([
		'data:image/png;base64',
		`data:image/png,${BASE64}`,
		`data:image/png;base64;x,${BASE64}`,
		'data:image/png;base64,',
		`data:image/png;base64,-${BASE64}`,
		`${PNG}-`,
		'data:image/png;base64,AAAA===',
	])('is rejected if it is not base64: %s', (address) => {
		expect(() => readAddress(address)).toThrow(
			`'Image URL' is ${JSON.stringify(address)}. A data: address must contain an image in base64.`,
		);
	});
});

describe('Image Source', () => {
	it('can be all images of the item', () => {
		expect(choiceOf({ inputType: 'all' })).toEqual({ from: 'all' });
	});

	it('rejects any other value', () => {
		expect(() => choiceOf({ inputType: 'mail' })).toThrow(
			`'Image Source' is "mail". Allowed: binary, all, url.`,
		);
	});
});

describe('Input Data Field Name(s)', () => {
	const binary = { data: '', mimeType: 'image/png', fileName: 'fox.png' };
	const files = (...values: unknown[]) => ({ from: 'files', files: values, isList: true });

	it.each<[what: string, value: unknown]>([
		['one name', 'photo'],
		['a binary object', binary],
	])('reads %s as one image', (_what, value) => {
		expect(byName(value)).toEqual({ from: 'files', files: [value], isList: false });
	});

	it.each<[what: string, value: unknown, chosen: unknown[]]>([
		['names with commas', ' front, back ,side', ['front', 'back', 'side']],
		['a list of names', ['front', 'back'], ['front', 'back']],
		['a list of names and binary objects', [binary, 'back'], [binary, 'back']],
		['a list of one name', ['front'], ['front']],
	])('reads %s as several images, in that order', (_what, value, chosen) => {
		expect(byName(value)).toEqual(files(...chosen));
	});

	it('drops duplicates', () => {
		expect(byName('front, back, front')).toEqual(files('front', 'back'));
		expect(byName('front,front')).toEqual(files('front'));
		expect(byName([binary, 'front', binary, 'front'])).toEqual(files(binary, 'front'));
	});

	it('reads a name with a comma as one name if the item has such a field', () => {
		expect(byName('front, back', 'front, back')).toEqual({
			from: 'files',
			files: ['front, back'],
			isList: false,
		});
	});

	it.each(['front,', ',front', 'front,,back', ' , '])('rejects an empty name: %j', (value) => {
		expect(() => byName(value)).toThrow(
			`'Input Data Field Name(s)' is ${JSON.stringify(value)}, which contains an empty name.`,
		);
	});

	it.each([
		['', `'Input Data Field Name(s)' is empty.`],
		['  ', `'Input Data Field Name(s)' is empty.`],
		[[], `'Input Data Field Name(s)' is an empty list.`],
		[['front', ''], `Entry 2 of the list in 'Input Data Field Name(s)' is empty.`],
		[[null], `Entry 1 of the list in 'Input Data Field Name(s)' is empty.`],
		[['front', undefined], `Entry 2 of the list in 'Input Data Field Name(s)' is empty.`],
	])('rejects %j', (value, message) => {
		expect(() => byName(value)).toThrow(message);
	});
});

describe('Image URL', () => {
	const [A, B] = ['https://example.com/a.jpg', 'https://example.com/b.jpg'];
	const addresses = (...list: string[]) => ({ from: 'addresses', addresses: list, isList: true });

	it.each<[what: string, value: unknown]>([
		['lines', `${A}\n${B}`],
		['lines of Windows with empty ones between', `\r\n${A}  \r\n\r\n  ${B}\r\n`],
		['a list', [A, ` ${B}\n`]],
	])('reads several addresses from %s, in that order', (_what, value) => {
		expect(byUrl(value)).toEqual(addresses(A, B));
	});

	it('drops duplicates', () => {
		expect(byUrl(`${A}\n${B}\n${A}`)).toEqual(addresses(A, B));
		expect(byUrl([B, A, B])).toEqual(addresses(B, A));
		expect(byUrl([A, A])).toEqual(addresses(A));
	});

	it('is a list if an expression returns a list of one', () => {
		expect(byUrl([A])).toEqual(addresses(A));
	});

	it('joins wrapped base64 into one address', () => {
		const wrapped = `${PNG.slice(0, 30)}\n${PNG.slice(30)}`;

		expect(byUrl(`${wrapped}\n${A}\n${wrapped}`)).toEqual(addresses(PNG, A));
		expect(byUrl(`${A}\n${wrapped}\nHTTPS://example.com/b.jpg`)).toEqual(
			addresses(A, PNG, 'HTTPS://example.com/b.jpg'),
		);
		expect(byUrl(`${wrapped}\n${PNG.toUpperCase()}`)).toEqual(addresses(PNG, PNG.toUpperCase()));
	});

	it('joins no lines after an ordinary address', () => {
		expect(byUrl(`${A}\nb.jpg`)).toEqual(addresses(A, 'b.jpg'));
		expect(byUrl(`see ${PNG}\nb.jpg`)).toEqual(addresses(`see ${PNG}`, 'b.jpg'));
	});

	it.each<[value: unknown, message: string]>([
		[undefined, `'Image URL' is empty.`],
		[' \n ', `'Image URL' is empty.`],
		[{ a: 1 }, `'Image URL' must be text, but is "{"a":1}".`],
		[[], `'Image URL' is an empty list.`],
		[[A, ''], `Entry 2 of the list in 'Image URL' is empty.`],
		[[A, { a: 1 }], `'Image URL' contains "{"a":1}", which is not text.`],
		[[A, 7], `'Image URL' contains "7", which is not text.`],
	])('rejects %j', (value, message) => {
		expect(() => byUrl(value)).toThrow(message);
	});
});
