import { image, placesOf, plan } from '../../support/planImages';

/** How files of these types begin. */
const BEGINNINGS: Record<string, string> = {
	'image/jpeg': '\xff\xd8\xff',
	'image/png': '\x89PNG\r\n\x1a\n',
	'image/gif': 'GIF89a',
	'image/jp2': '\0\0\0\x0cjP  \r\n\x87\n',
	'image/aces': 'v/1\x01',
	'image/x-odd': '\x01',
};

/** What a name becomes: in the option File Name, in the request, and for the image that is made from the file. */
interface Names {
	typed?: string;
	sent?: string;
	made?: string;
}

async function namesOf(fileName: string, mimeType: string): Promise<Names> {
	const data = Buffer.from(BEGINNINGS[mimeType] ?? '', 'latin1').toString('base64');
	const stemOf = async (options: object) => {
		const given = { inputType: 'binary', binaryPropertyName: 'data', options };
		const planned = await plan(given, { binary: { data: image({ data, mimeType, fileName }) } });
		const [place] = placesOf(planned);
		const [each] = planned;
		return {
			stem: place !== undefined && 'fileName' in place ? place.fileName.stem : '',
			sent: each !== undefined && 'asks' in each ? (each.asks.request.file?.name ?? '') : '',
		};
	};
	const { stem: made, sent } = await stemOf({});
	const { stem: typed } = await stemOf({ fileName });
	return { typed, sent, made };
}

it.each<[name: string, names: Names, mimeType?: string]>([
	['Füchse im Schnee 🦊.png', { typed: 'Füchse im Schnee 🦊' }],
	['../../etc/passwd', { typed: 'etc-passwd' }],
	['C:\\photos\\a.png', { typed: 'C-photos-a' }],
	['a"b<c>|d?.png', { typed: 'a-b-c-d-' }],
	['two\r\nlines\u0000.png', { typed: 'twolines' }],
	['photo\u202egnp.jpg', { typed: 'photognp' }],
	['a\u061cb\u2028c\u2029d.png', { typed: 'abcd' }],
	['...', { typed: 'image' }],
	['', { made: 'image-no-background' }],
	['CON.png', { typed: '_CON' }],
	['com1', { typed: '_com1' }],
	['console.png', { typed: 'console' }],
	['.hidden', { typed: 'hidden' }],
	['.png', { typed: 'png', sent: 'png.png' }],
	['a. ', { typed: 'a' }],
	['half \ud83d.png', { typed: 'half' }],
	['\udc00', { typed: 'image' }],
	// A variation selector, a joiner, an accent without its letter.
	['\ufe0f.png', { typed: 'image' }],
	['\u200d\u0301.png', { typed: 'image' }],
	// Only the extension of an image is removed, and only one.
	['photo.JPEG', { typed: 'photo' }],
	['scan.TIF', { typed: 'scan' }],
	['photo.heif', { typed: 'photo' }],
	['photo.png.png', { typed: 'photo.png' }],
	['photo.png-old', { typed: 'photo.png-old' }],
	['v1.2', { typed: 'v1.2' }],
	// Cut to 200 bytes, but not within an emoji.
	[`${'🦊'.repeat(300)}.png`, { typed: '🦊'.repeat(50) }],
	[`${'a'.repeat(199)}🦊b.png`, { typed: 'a'.repeat(199) }],
	// No space before the extension after a cut.
	[`${'a'.repeat(199)} fox.png`, { typed: 'a'.repeat(199) }],
	['Red bicycle.JPEG', { made: 'Red bicycle-no-background' }],
	['my.photo.webp', { made: 'my.photo-no-background' }],
	['report.pdf', { made: 'report.pdf-no-background' }],
	['a/b.png', { made: 'a-b-no-background' }],
	[`${'ä'.repeat(100)}.png`, { made: `${'ä'.repeat(80)}-no-background` }],
	['photo.jpg', { sent: 'photo.jpg' }, 'image/jpeg'],
	['photo.JPG', { sent: 'photo.jpg' }, 'image/jpeg'],
	['photo.jpeg', { sent: 'photo.jpeg' }, 'image/jpeg'],
	['foo.jfif', { sent: 'foo.jfif' }, 'image/jpeg'],
	['scan.jp2', { sent: 'scan.jp2' }, 'image/jp2'],
	// What it says is not what it is.
	['photo.png', { sent: 'photo.jpg' }, 'image/jpeg'],
	['photo.txt', { sent: 'photo.txt.gif' }, 'image/gif'],
	['photo', { sent: 'photo.jpg' }, 'image/jpeg'],
	['a.b.c', { sent: 'a.b.c.jpg' }, 'image/jpeg'],
	['../../etc/passwd.jpg', { sent: 'etc-passwd.jpg' }, 'image/jpeg'],
	// A type that the node does not know.
	['light.exr', { sent: 'light.exr' }, 'image/aces'],
	['photo.odd', { sent: 'photo.odd' }, 'image/x-odd'],
	['photo', { sent: 'photo.img' }, 'image/x-odd'],
	[`${'a'.repeat(300)}.odd`, { sent: `${'a'.repeat(200)}.odd` }, 'image/x-odd'],
])('a file name is made safe: %j becomes %j', async (name, names, mimeType = 'image/png') => {
	expect(await namesOf(name, mimeType)).toMatchObject(names);
});
