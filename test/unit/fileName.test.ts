import {
	safeFileName,
	nameAfterFile,
	uniqueNames,
	withExtension,
} from '../../nodes/ImageGeneration/images/fileName';

describe('a file name', () => {
	it.each([
		['photo.jpg', 'photo.jpg'],
		['Füchse im Schnee 🦊.png', 'Füchse im Schnee 🦊.png'],
		['../../etc/passwd', 'etc-passwd'],
		['C:\\photos\\a.png', 'C-photos-a.png'],
		['a"b<c>|d?.png', 'a-b-c-d-.png'],
		['two\r\nlines\u0000.png', 'twolines.png'],
		['photo\u202egnp.jpg', 'photognp.jpg'],
		['a\u061cb\u2028c\u2029d.png', 'abcd.png'],
		['...', 'image'],
		['', 'image'],
		['CON.png', '_CON.png'],
		['com1', '_com1'],
		['console.png', 'console.png'],
		['.hidden', 'hidden'],
		['a. ', 'a'],
		['half \ud83d.png', 'half.png'],
		['\udc00', 'image'],
	])('%j is stored as %j', (name, safe) => {
		expect(safeFileName(name)).toBe(safe);
	});

	it('is cut to 200 bytes without splitting an emoji, and keeps its extension', () => {
		expect(safeFileName(`${'🦊'.repeat(300)}.png`)).toBe(`${'🦊'.repeat(50)}.png`);
		expect(safeFileName(`${'a'.repeat(199)}🦊b.png`)).toBe(`${'a'.repeat(199)}.png`);
	});

	it('has no space before its extension after a cut', () => {
		expect(safeFileName('red fox.png', 4)).toBe('red.png');
	});

	it.each([
		['photo.png', 'jpg', 'photo.jpg'],
		['photo.png-old', 'jpg', 'photo.png-old.jpg'],
		['photo.jpeg', 'jpg', 'photo.jpeg'],
		['photo.JPG', 'jpg', 'photo.JPG'],
		['photo.heif', 'heic', 'photo.heic'],
		['photo', 'png', 'photo.png'],
		['v1.2', 'png', 'v1.2.png'],
		['archive.tar.gz', 'png', 'archive.tar.gz.png'],
		['scan.TIF', 'tiff', 'scan.TIF'],
	])('%j of type %s becomes %j', (name, extension, expected) => {
		expect(withExtension(name, extension)).toBe(expected);
	});

	it.each([
		['photo.jpg', 'photo'],
		['photo', 'photo'],
		['my.photo.webp', 'my.photo'],
		['report.pdf', 'report.pdf'],
	])('%j is edited into %j-edited', (name, stem) => {
		expect(nameAfterFile(name, 'edited')).toBe(`${stem}-edited`);
	});
});

describe('the file names of a run', () => {
	it.each([
		[
			['a', 'b', 'a', 'a'],
			['a', 'b', 'a-2', 'a-3'],
		],
		[
			['a', 'A'],
			['a', 'A-2'],
		],
		[
			['a', 'a-2', 'a'],
			['a', 'a-2', 'a-3'],
		],
		[[], []],
	])('%j become %j', (names, unique) => {
		expect(names.map(uniqueNames())).toEqual(unique);
	});

	it('are numbered quickly even if ten thousand are equal', () => {
		const unique = uniqueNames();
		const names = Array.from({ length: 10_000 }, () => unique('photo'));

		expect(new Set(names).size).toBe(10_000);
		expect(names.at(-1)).toBe('photo-10000');
	});
});
