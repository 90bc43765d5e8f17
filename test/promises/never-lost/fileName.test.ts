import { nameOfType, safeStem } from '../../../nodes/ImageGeneration/images/fileName';
import { imageType } from '../../../nodes/ImageGeneration/images/imageType';
import type { ImageType } from '../../../nodes/ImageGeneration/images/knownTypes';

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
		// A variation selector, a joiner, an accent without its letter.
		['\ufe0f.png', 'image'],
		['\u200d\u0301.png', 'image'],
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
		['scan.jp2', 'image/jp2', 'scan.jp2'],
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
});
