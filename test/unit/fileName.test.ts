import {
	nameAfterFile,
	nameOfType,
	nameAfterPrompt,
	safeStem,
	uniqueNames,
} from '../../nodes/ImageGeneration/images/fileName';
import { imageType } from '../../nodes/ImageGeneration/images/imageType';
import type { ImageType } from '../../nodes/ImageGeneration/images/knownTypes';

/** A type whose first bytes begin so. */
const BEGINNINGS: Record<string, string> = {
	'image/jpeg': '\xff\xd8\xff',
	'image/png': '\x89PNG\r\n\x1a\n',
	'image/gif': 'GIF89a',
	'image/tiff': 'II*\0',
	'image/jp2': '\0\0\0\x0cjP  \r\n\x87\n',
	'image/x-canon-cr3': '\0\0\0\x10ftypcrx ',
	'image/vnd.adobe.photoshop': '8BPS\0\x01',
	'image/aces': 'v/1\x01',
	'image/x-odd': '\x01',
};

function typeNamed(mimeType: string): ImageType {
	const type = imageType(Buffer.from(BEGINNINGS[mimeType] ?? '', 'latin1'), mimeType);
	if (type?.mimeType !== mimeType) throw new Error(`There is no ${mimeType}`);
	return type;
}

describe('a file name', () => {
	it.each([
		['Füchse im Schnee 🦊.png', 'Füchse im Schnee 🦊'],
		['../../etc/passwd', 'etc-passwd'],
		['C:\\photos\\a.png', 'C-photos-a'],
		['a"b<c>|d?.png', 'a-b-c-d-'],
		['two\r\nlines\u0000.png', 'twolines'],
		['photo\u202egnp.jpg', 'photognp'],
		['a\u061cb\u2028c\u2029d.png', 'abcd'],
		['...', 'image'],
		['', 'image'],
		['CON.png', '_CON'],
		['com1', '_com1'],
		['console.png', 'console'],
		['.hidden', 'hidden'],
		['.png', 'png'],
		['a. ', 'a'],
		['half \ud83d.png', 'half'],
		['\udc00', 'image'],
		// Only the extension of an image is removed, and only one.
		['photo.JPEG', 'photo'],
		['scan.TIF', 'scan'],
		['photo.heif', 'photo'],
		['photo.png.png', 'photo.png'],
		['photo.png-old', 'photo.png-old'],
		['v1.2', 'v1.2'],
		// Cut to 200 bytes, but not within an emoji.
		[`${'🦊'.repeat(300)}.png`, '🦊'.repeat(50)],
		[`${'a'.repeat(199)}🦊b.png`, 'a'.repeat(199)],
		// No space before the extension after a cut.
		[`${'a'.repeat(199)} fox.png`, 'a'.repeat(199)],
	])('%j is stored as %j and the extension of its type', (name, stem) => {
		expect(safeStem(name)).toBe(stem);
	});

	it.each([
		['photo.jpg', 'image/jpeg', 'photo.jpg'],
		['photo.JPG', 'image/jpeg', 'photo.jpg'],
		['photo.jpeg', 'image/jpeg', 'photo.jpeg'],
		['foo.jfif', 'image/jpeg', 'foo.jfif'],
		['photo.psd', 'image/vnd.adobe.photoshop', 'photo.psd'],
		['scan.jp2', 'image/jp2', 'scan.jp2'],
		['raw.CR3', 'image/x-canon-cr3', 'raw.cr3'],
		['raw.dng', 'image/tiff', 'raw.dng'],
		// What it says is not what it is.
		['photo.png', 'image/jpeg', 'photo.jpg'],
		['photo.txt', 'image/gif', 'photo.txt.gif'],
		['photo', 'image/jpeg', 'photo.jpg'],
		['.png', 'image/png', 'png.png'],
		['a.b.c', 'image/jpeg', 'a.b.c.jpg'],
		['../../etc/passwd.jpg', 'image/jpeg', 'etc-passwd.jpg'],
		// A type that the node does not know.
		['light.exr', 'image/aces', 'light.exr'],
		['photo.odd', 'image/x-odd', 'photo.odd'],
		['photo', 'image/x-odd', 'photo.img'],
		[`${'a'.repeat(300)}.odd`, 'image/x-odd', `${'a'.repeat(200)}.odd`],
	])('%j of the type %s is sent as %j', (name, mimeType, sent) => {
		expect(nameOfType(name, typeNamed(mimeType))).toBe(sent);
	});

	it.each([
		['Red bicycle.JPEG', 'Red bicycle-edited'],
		['my.photo.webp', 'my.photo-edited'],
		['report.pdf', 'report.pdf-edited'],
		['a/b.png', 'a-b-edited'],
		['', 'image-edited'],
		[`${'ä'.repeat(100)}.png`, `${'ä'.repeat(80)}-edited`],
	])('of an image made from the file %j is %j', (name, after) => {
		expect(nameAfterFile(name, 'edited')).toBe(after);
	});

	it.each([
		['  A red fox, in the snow!  ', 'a-red-fox-in-the-snow'],
		['One two three four five six seven', 'one-two-three-four-five-six'],
		['Ein Füchslein', 'ein-füchslein'],
		['夜の狐', '夜の狐'],
		['हिन्दी में', 'हिन्दी-में'],
		['../../etc/passwd', 'etc-passwd'],
		['v1.2', 'v1-2'],
		['🦊', 'image'],
		['', 'image'],
		// What is cut off leaves no word behind that needs a following one.
		['A red ceramic mug on a wooden table', 'a-red-ceramic-mug'],
		['Portrait of a woman looking at the sea', 'portrait-of-a-woman-looking'],
		['In the of a on by with', 'in'],
		['The letter A', 'the-letter-a'],
		// No word is cut if another one comes before it.
		[`${'x'.repeat(59)} yes`, 'x'.repeat(59)],
		[`An ${'x'.repeat(50)} ${'y'.repeat(20)}`, `an-${'x'.repeat(50)}`],
		// A character of two UTF-16 units is not split.
		['𝒜'.repeat(61), '𝒜'.repeat(60)],
		// Only the beginning of a long prompt is used.
		[`${'!'.repeat(500)}fox`, 'image'],
		[`${'!'.repeat(497)}fox`, 'fox'],
	])('of an image made from the prompt %j is %j', (prompt, name) => {
		expect(nameAfterPrompt(prompt)).toBe(name);
	});
});

describe('the file names of a run', () => {
	it.each([
		['a b a a', 'a b a-2 a-3'],
		['a A', 'a A-2'],
		['A-2 a a', 'A-2 a a-3'],
	])('%s become %s', (names, unique) => {
		expect(names.split(' ').map(uniqueNames()).join(' ')).toBe(unique);
	});

	it('are numbered quickly even if ten thousand are equal', () => {
		const unique = uniqueNames();
		const names = Array.from({ length: 10_000 }, () => unique('photo'));

		expect(new Set(names).size).toBe(10_000);
		expect(names.at(-1)).toBe('photo-10000');
	});
});
