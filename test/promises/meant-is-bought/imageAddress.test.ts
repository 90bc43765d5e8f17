import { byUrl, partsOf, placesOf, plan, problemOf, sourcesOf } from '../../support/planImages';

describe('an address in Image URL', () => {
	const A = 'https://example.com/a.jpg';

	it.each([
		['HTTP://example.com/a/fox.jpg', 'fox.jpg'],
		['https://example.com/fox%20one.jpg?size=2', 'fox one.jpg'],
		['https://example.com/100%.jpg', '100%.jpg'],
		['https://example.com', ''],
	])('is sent as written and names its image after its last part: %s', async (address, label) => {
		const rows = await byUrl(` ${address}\n`);

		expect(placesOf(rows)).toMatchObject([{ label }]);
		expect(partsOf(rows)).toStrictEqual([address]);
	});

	it('is one job, of which messages show 200 characters', async () => {
		const long = A.padEnd(200, '?');
		const rows = await byUrl([long, `${long}b`]);

		expect(partsOf(rows)).toStrictEqual([long, `${long}b`]);
		expect(sourcesOf(rows)).toStrictEqual([long, `${long.slice(0, 199)}…`]);
	});

	const noAddress = (value: string): [string, string] => [
		value,
		`'Image URL' is "${value}". Allowed: an address starting with http:// or https://, or an image in base64.`,
	];

	it.each<[value: unknown, message: string]>([
		...['ftp://a.b', 'see below', 'http:/a.b/c.jpg', 'http://[', '<a>Hi</a>'].map(noAddress),
		[' \n ', `'Image URL' is empty.`],
		[[], `'Image URL' is an empty list.`],
		[[A, ''], `Entry 2 of the list in 'Image URL' is empty.`],
	])('is refused if it is none: %j', async (value, message) => {
		expect(partsOf(await byUrl(value))).toStrictEqual([message]);
	});
});

describe('an address of this machine in Image URL', () => {
	it.each([
		'http://localhost:5678/a.jpg',
		'http://127.0.0.1/a.jpg',
		'http://127.1/a.jpg',
		'https://[::1]:5678/a.jpg',
		'http://[::ffff:127.0.0.1]/a.jpg',
		'http://0.0.0.0:8080/a.jpg',
		'http://n8n.localhost/a.jpg',
	])('is refused, because the service finds no image there: %s', async (address) => {
		expect(problemOf(await byUrl(address))).toMatchObject({
			kind: 'bad input',
			message: `'Image URL' is "${address}". Only this machine can open that address, but the service downloads the image.`,
			advice:
				"Get the image with an HTTP Request node first, and set 'Image Source' to 'File From an Earlier Node'.",
		});
	});

	it.each(['https://localhost.example.com/a.jpg', 'http://192.168.1.5/a.jpg'])(
		'is none if there can be an image: %s',
		async (address) => {
			expect(partsOf(await byUrl(address))).toStrictEqual([address]);
		},
	);

	it.each([
		'http://localhost:8080',
		'http://127.0.0.1:8080',
		'http://[::1]:8080',
		'http://host.docker.internal:8080',
	])('is sent if the service is there as well: %s', async (origin) => {
		const parameters = { inputType: 'url', imageUrl: 'http://localhost:5678/a.jpg' };

		expect(partsOf(await plan(parameters, {}, { origin }))).toStrictEqual([parameters.imageUrl]);
	});

	it.each(['https://example.com', 'https://[2001:db8::1]', 'http://192.168.1.5:8080'])(
		'is refused if the service is elsewhere: %s',
		async (origin) => {
			const parameters = { inputType: 'url', imageUrl: 'http://localhost:5678/a.jpg' };

			expect(problemOf(await plan(parameters, {}, { origin }))).toMatchObject({
				kind: 'bad input',
			});
		},
	);
});

describe('the address of a page that shows pictures', () => {
	const download = (node: string) => `Download the file with a ${node} node first, `;
	const save = 'Save the picture and put it where a node can fetch it';

	it.each([
		['Google Drive', 'https://drive.google.com/drive/folders/1AbC', download('Google Drive')],
		['Google Photos', 'https://photos.app.goo.gl/AbC', save],
		['Google Photos', 'https://photos.google.com/share/AbC/photo/DeF?key=1', save],
		['Dropbox', 'https://www.dropbox.com/scl/fo/1/a?rlkey=2&dl=0', download('Dropbox')],
		['Dropbox', 'https://www.dropbox.com/home/photos?preview=a.jpg', download('Dropbox')],
		['OneDrive', 'https://1drv.ms/i/s!AbC', download('Microsoft OneDrive')],
		['OneDrive', 'https://onedrive.live.com/?id=1&cid=2', download('Microsoft OneDrive')],
		['Instagram', 'https://www.instagram.com/p/AbC/?img_index=1', save],
	])('is refused, with what to use instead: %s, %s', async (name, address, advice) => {
		expect(problemOf(await byUrl(address))).toMatchObject({
			kind: 'bad input',
			message: `'Image URL' is "${address}". That is a page of ${name} that shows pictures, not a picture.`,
			advice: expect.stringContaining(advice) as string,
		});
	});

	it.each([
		[
			'https://www.dropbox.com/scl/fo/1/a.jpg?rlkey=2&raw=1',
			'https://www.dropbox.com/scl/fo/1/a.jpg?rlkey=2&raw=1',
		],
		['https://www.dropbox.com/s/1/a.jpg?dl=0', 'https://www.dropbox.com/s/1/a.jpg?raw=1'],
		['https://dropbox.com/s/1/a%20b.jpg', 'https://dropbox.com/s/1/a%20b.jpg?raw=1'],
		[
			'https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&dl=0&st=3#top',
			'https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&st=3&raw=1#top',
		],
		[
			'https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2',
			'https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&raw=1',
		],
		[
			'https://drive.google.com/file/d/1Ab_C-/view?usp=sharing',
			'https://drive.google.com/uc?export=download&id=1Ab_C-',
		],
		[
			'https://drive.google.com/open?id=1AbC&usp=drive_copy',
			'https://drive.google.com/uc?export=download&id=1AbC',
		],
	])('becomes that of its file if it has one: %s', async (address, sent) => {
		const rows = await byUrl([address]);

		expect(partsOf(rows)).toStrictEqual([sent]);
		// As it was entered.
		expect(placesOf(rows)).toMatchObject([{ source: address }]);
	});
});

describe('the address of a file is sent as it is', () => {
	it.each([
		'https://example.imgix.net/terms.pdf?page=1&fm=png',
		'https://example.com/render.php',
		'https://drive.google.com/uc?export=download&id=1AbC',
		'https://drive.google.com/thumbnail?id=1AbC',
		'https://lh3.googleusercontent.com/pw/AbC=w2400',
		'https://dl.dropboxusercontent.com/scl/fi/1/a.jpg?dl=0',
		'https://onedrive.live.com/download?resid=1',
		'https://onedrive.live.com/embed?resid=1&download=1',
		'https://scontent.cdninstagram.com/v/a.jpg',
		'https://www.instagram.com/p/AbC/media/?size=l',
		'https://v5.airtableusercontent.com/v3/u/1/2/abc',
		'https://notdropbox.com/s/1/a.jpg?dl=0',
	])('%s', async (address) => {
		expect(partsOf(await byUrl(address))).toStrictEqual([address]);
	});
});
