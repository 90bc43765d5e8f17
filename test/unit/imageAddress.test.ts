import { byUrl, partsOf, plan, problemOf, sourcesOf } from '../support/planImages';

describe('an address in Image URL', () => {
	const A = 'https://example.com/a.jpg';

	it.each([
		['HTTP://example.com/a/fox.jpg', 'fox.jpg'],
		['https://example.com/fox%20one.jpg?size=2', 'fox one.jpg'],
		['https://example.com/100%.jpg', '100%.jpg'],
		['https://example.com', ''],
	])('is sent as written and names its image after its last part: %s', async (address, label) => {
		const jobs = await byUrl(` ${address}\n`);

		expect(jobs).toStrictEqual([expect.objectContaining({ label })]);
		expect(partsOf(jobs)).toStrictEqual([address]);
	});

	it('is one job, of which messages show 200 characters', async () => {
		const long = A.padEnd(200, '?');
		const jobs = await byUrl([long, `${long}b`]);

		expect(partsOf(jobs)).toStrictEqual([long, `${long}b`]);
		expect(sourcesOf(jobs)).toStrictEqual([long, `${long.slice(0, 199)}…`]);
	});

	const noAddress = (value: string): [string, string] => [
		value,
		`'Image URL' is "${value}". Allowed: a full address starting with http:// or https://.`,
	];

	it.each<[value: unknown, message: string]>([
		...['ftp://a.b', 'see below', 'http:/a.b/c.jpg', 'http://['].map(noAddress),
		[' \n ', `'Image URL' is empty.`],
		[[], `'Image URL' is an empty list.`],
		[[A, ''], `Entry 2 of the list in 'Image URL' is empty.`],
		['<a>Hi</a>', `'Image URL' is HTML without an image that has a web address: "<a>Hi</a>".`],
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
		// The service may be on this machine.
		'http://192.168.1.5:8080',
		'http://10.0.0.5:8080',
		'http://172.17.0.1:8080',
		'http://sandbox:8080',
		'http://host.docker.internal:8080',
	])('is sent if the service may be there as well: %s', async (origin) => {
		const parameters = { inputType: 'url', imageUrl: 'http://localhost:5678/a.jpg' };

		expect(partsOf(await plan(parameters, {}, { origin }))).toStrictEqual([parameters.imageUrl]);
	});

	it.each(['https://example.com', 'https://[2001:db8::1]', 'http://172.32.0.1', 'http://8.8.8.8'])(
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
	const direct = (origin: string) => `the picture itself, which begins with ${origin}, or save`;
	const save = 'Save the picture and put it where a node can fetch it';
	const wikimedia = direct('https://upload.wikimedia.org/');
	const search = 'Open the picture on its own website';

	it.each([
		[
			'Google Drive',
			'https://drive.google.com/file/d/1AbC/view?usp=sharing',
			download('Google Drive'),
		],
		['Google Drive', 'https://drive.google.com/open?id=1AbC', download('Google Drive')],
		['Google Drive', 'https://drive.google.com/drive/folders/1AbC', download('Google Drive')],
		['Google Docs', 'https://docs.google.com/document/d/1AbC/edit', save],
		['Google Docs', 'https://docs.google.com/a/example.com/presentation/d/1AbC/pub', save],
		['Google Docs', 'https://docs.google.com/drawings/d/1AbC/edit', save],
		['Google Photos', 'https://photos.app.goo.gl/AbC', save],
		['Google Photos', 'https://photos.google.com/share/AbC/photo/DeF?key=1', save],
		['Google Search', 'https://www.google.com/imgres?imgurl=https://example.com/a.jpg', search],
		['Google Search', 'https://www.google.co.uk/search?q=fox&udm=2', search],
		['Dropbox', 'https://www.dropbox.com/scl/fo/1/a?rlkey=2&dl=0', download('Dropbox')],
		['Dropbox', 'https://www.dropbox.com/home/photos?preview=a.jpg', download('Dropbox')],
		['OneDrive', 'https://1drv.ms/i/s!AbC', download('Microsoft OneDrive')],
		['OneDrive', 'https://onedrive.live.com/?id=1&cid=2', download('Microsoft OneDrive')],
		['SharePoint', 'https://team.sharepoint.com/:i:/s/site/AbC', download('Microsoft SharePoint')],
		[
			'SharePoint',
			'https://team-my.sharepoint.com/personal/ann/_layouts/15/onedrive.aspx?id=1',
			download('Microsoft SharePoint'),
		],
		['Box', 'https://app.box.com/s/abc', download('Box')],
		['Box', 'https://example.app.box.com/file/12', download('Box')],
		['iCloud', 'https://www.icloud.com/sharedalbum/#B0z5', save],
		['iCloud', 'https://share.icloud.com/photos/0abc', save],
		['WeTransfer', 'https://we.tl/t-abc', save],
		['WeTransfer', 'https://wetransfer.com/downloads/abc/def', save],
		['Instagram', 'https://www.instagram.com/p/AbC/?img_index=1', save],
		['Pinterest', 'https://www.pinterest.de/pin/12/', direct('https://i.pinimg.com/')],
		['Pinterest', 'https://pin.it/abc', direct('https://i.pinimg.com/')],
		['Canva', 'https://www.canva.com/design/AbC/view', save],
		['Imgur', 'https://imgur.com/a/abc', direct('https://i.imgur.com/')],
		['Imgur', 'https://imgur.com/gallery/fox-AbC', direct('https://i.imgur.com/')],
		['Flickr', 'https://www.flickr.com/photos/ann/12/', direct('https://live.staticflickr.com/')],
		['Unsplash', 'https://unsplash.com/photos/fox-AbC', direct('https://images.unsplash.com/')],
		['Pexels', 'https://www.pexels.com/photo/fox-12/', direct('https://images.pexels.com/')],
		['Wikipedia', 'https://en.wikipedia.org/wiki/Fox#/media/File:Fox.jpg', wikimedia],
		['Wikipedia', 'https://de.m.wikipedia.org/wiki/Datei:Fox.jpg', wikimedia],
		['Wikipedia', 'https://commons.wikimedia.org/wiki/File:Fox.jpg', wikimedia],
		[
			'Notion',
			'https://www.notion.so/ann/Fox-0123456789abcdef0123456789abcdef?pvs=4',
			download('Notion'),
		],
		['Notion', 'https://ann.notion.site/0123456789abcdef0123456789abcdef', download('Notion')],
		[
			'Airtable',
			'https://airtable.com/appAbCdEfGhIjKlMn/tblAbCdEfGhIjKlMn/viw1',
			download('Airtable'),
		],
		[
			'GitHub',
			'https://github.com/ann/fox/tree/main',
			direct('https://raw.githubusercontent.com/'),
		],
	])('is refused, with what to use instead: %s, %s', async (name, address, advice) => {
		expect(problemOf(await byUrl(address))).toMatchObject({
			kind: 'bad input',
			message: `'Image URL' is "${address}". That is a page of ${name} that shows pictures, not a picture.`,
			advice: expect.stringContaining(advice) as string,
		});
	});

	it.each([
		['https://www.dropbox.com/s/1/a.jpg?dl=0', 'https://www.dropbox.com/s/1/a.jpg?raw=1'],
		['https://dropbox.com/s/1/a%20b.jpg', 'https://dropbox.com/s/1/a%20b.jpg?raw=1'],
		[
			'https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&st=3&dl=0#top',
			'https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&st=3&raw=1',
		],
		[
			'https://github.com/ann/fox/blob/main/img/a%20b.jpg?raw=true#L1',
			'https://raw.githubusercontent.com/ann/fox/main/img/a%20b.jpg',
		],
		[
			'http://www.github.com/ann/fox/blob/a/b.jpg',
			'https://raw.githubusercontent.com/ann/fox/a/b.jpg',
		],
	])('becomes that of its file if it has one: %s', async (address, sent) => {
		const jobs = await byUrl([address]);

		expect(partsOf(jobs)).toStrictEqual([sent]);
		// As it was entered.
		expect(jobs).toStrictEqual([expect.objectContaining({ source: address })]);
	});
});

it.each(['https://example.com/terms.pdf', 'https://example.com/a%20b.MP4#t=3'])(
	'the address of another kind of file is refused: %s',
	async (address) => {
		expect(problemOf(await byUrl(address))).toMatchObject({
			kind: 'bad input',
			message: expect.stringMatching(
				/ is "https:.*"\. That is a \.\w+ file, not a picture\.$/,
			) as string,
		});
	},
);

describe('the address of a file is sent as it is', () => {
	it.each([
		'https://example.imgix.net/terms.pdf?page=1&fm=png',
		'https://example.com/render.php',
		'https://drive.google.com/uc?export=download&id=1AbC',
		'https://drive.google.com/thumbnail?id=1AbC',
		'https://docs.google.com/drawings/d/1AbC/pub?w=9&h=9',
		'https://docs.google.com/drawings/d/1AbC/export/png',
		'https://docs.google.com/uc?id=1AbC',
		'https://lh3.googleusercontent.com/pw/AbC=w2400',
		'https://www.google.com/images/branding/googlelogo.png',
		'https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&dl=1',
		'https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&raw=1&dl=0',
		'https://dl.dropboxusercontent.com/scl/fi/1/a.jpg?dl=0',
		'https://onedrive.live.com/download?resid=1',
		'https://onedrive.live.com/embed?resid=1&download=1',
		'https://team.sharepoint.com/:i:/s/site/AbC?download=1',
		'https://team.sharepoint.com/_layouts/15/download.aspx?UniqueId=1',
		'https://team.sharepoint.com/sites/a/Shared%20Documents/a.jpg',
		'https://app.box.com/shared/static/abc.jpg',
		'https://cvws.icloud-content.com/B/abc/a.jpg',
		'https://download.wetransfer.com/eugv/abc/a.jpg?token=1',
		'https://scontent.cdninstagram.com/v/a.jpg',
		'https://www.instagram.com/p/AbC/media/?size=l',
		'https://i.pinimg.com/originals/a.jpg',
		'https://export-download.canva.com/a.png',
		'https://i.imgur.com/abc.jpg',
		'https://imgur.com/abc.jpg',
		'https://live.staticflickr.com/1/2_3.jpg',
		'https://images.unsplash.com/photo-1?w=9',
		'https://unsplash.com/photos/AbC/download?force=true',
		'https://images.pexels.com/photos/12/pexels-photo-12.jpeg',
		'https://github.com/ann/fox/raw/main/a.jpg',
		'https://github.com/user-attachments/assets/abc',
		'https://github.com/ann.png',
		'https://upload.wikimedia.org/wikipedia/commons/a/ab/Fox.jpg',
		'https://commons.wikimedia.org/wiki/Special:FilePath/Fox.jpg?width=300',
		'https://www.notion.so/image/https%3A%2F%2Fexample.com%2Fa.jpg?table=block&id=1',
		'https://file.notion.so/f/s/0123456789abcdef0123456789abcdef/a.jpg',
		'https://v5.airtableusercontent.com/v3/u/1/2/abc',
		'https://notdropbox.com/s/1/a.jpg?dl=0',
		'https://mybox.com/s/a.jpg',
	])('%s', async (address) => {
		expect(partsOf(await byUrl(address))).toStrictEqual([address]);
	});
});
