import sharp from 'sharp';
import { Workbench } from '../../sandbox/service/jobs/workbench';
import { text2img } from '../../sandbox/tools/text2img';
import type { ToolDefinition } from '../../sandbox/tools/tool';
import { until } from '../support/until';
import { clients, failure, fileOf, type Fields } from './clients';
import { astronaut, disc, phonePhoto, phonePhotoPixels, pixel, plain } from './pictures';
import { useSandbox, useSandboxes } from './useSandbox';

const service = useSandbox();
const start = useSandboxes();
let photo: Buffer;
beforeAll(async () => {
	photo = await disc();
});

async function cutOut(bytes: Buffer, name?: string) {
	return await service.form('background-remover', {}, { image: { bytes, ...(name && { name }) } });
}

async function edit(bytes: Buffer, text = 'blur') {
	return await service.form('image-editor', { text }, { image: { bytes } });
}

const fromUrl = async (image: string) => await service.form('background-remover', { image });

describe('the image field', () => {
	it('accepts a URL, as a form and as JSON', async () => {
		const fields = { text: 'blur', image: (await edit(photo)).link() };
		for (const result of [
			await service.form('background-remover', fields),
			await service.json('image-editor', fields),
		]) {
			expect((await sharp((await fileOf(result)).body).metadata()).width).toBe(96);
		}
	});

	it.each(['background-remover', 'image-editor'])('of %s is required', async (tool) => {
		const answer = await service.form(tool, { text: 'blur' });
		expect(answer.outcome()).toStrictEqual([400, 'image is required and was not sent.']);
	});

	it.each(['data:image/png;base64,AAAA', 'file:///etc/passwd', 'photo.png'])(
		'refuses the URL %s',
		async (image) => {
			const message = `image is "${image}"; it must be an uploaded file or an http:// or https:// address.`;
			expect((await fromUrl(image)).outcome()).toStrictEqual([400, message]);
		},
	);

	it('says what a URL returned instead of an image', async () => {
		const { url } = service.sandbox;
		const image = `${url}/job-view-file/gone/output.jpg`;
		expect((await fromUrl(image)).outcome()).toStrictEqual([
			400,
			`image: "${image}" returned HTTP 404.`,
		]);
		const page = (await fromUrl(`${url}/`)).outcome();
		expect(page).toStrictEqual([415, expect.stringContaining('is not a readable image')]);
	});

	it.each([
		['http://127.0.0.1:1/a.png', 'web clients do not use this port'],
		['http://localhost:3/a.png', 'nothing listens there'],
		['http://nowhere.invalid/a.png', 'there is no such host'],
	])('says why %s cannot be reached', async (image, reason) => {
		const message = `image: "${image}" could not be fetched (${reason}).`;
		expect((await fromUrl(image)).outcome()).toStrictEqual([400, message]);
	});

	it('cannot be sent twice', async () => {
		const fields: Fields = { image: 'http://127.0.0.1:1/a.png' };
		const answer = await service.form('background-remover', fields, { image: { bytes: photo } });
		expect(answer.outcome()).toStrictEqual([400, 'image was sent more than once.']);
	});
});

describe('an image file', () => {
	it('can be JPEG, WebP, GIF, grey, 16-bit or transparent', async () => {
		const grey = await sharp(photo).greyscale().toColourspace('b-w').png().toBuffer();
		for (const bytes of [
			await disc('jpeg'),
			await disc('webp'),
			await sharp(photo).gif().toBuffer(),
			grey,
			await sharp(grey).ensureAlpha(0.4).toColourspace('b-w').png().toBuffer(),
			await sharp(photo).toColourspace('rgb16').png().toBuffer(),
			await sharp(photo).ensureAlpha(0.4).png().toBuffer(),
		]) {
			const edited = (await fileOf(await edit(bytes))).body;
			expect(await sharp(edited).metadata()).toMatchObject({ width: 96 });
		}
		expect(
			(await cutOut(await sharp(grey).ensureAlpha(0.4).toColourspace('b-w').png().toBuffer()))
				.status,
		).toBe(200);
	});

	it('keeps its transparency', async () => {
		const hole = '<svg width="10" height="10"><rect width="10" height="10"/></svg>';
		const place = { left: 35, top: 30, blend: 'dest-out' } as const;
		const holed = sharp(photo)
			.ensureAlpha()
			.composite([{ input: Buffer.from(hole), ...place }]);
		const cut = (await fileOf(await cutOut(await holed.png().toBuffer()))).body;
		expect((await pixel(cut, 40, 35))[3]).toBe(0);
		expect((await pixel(cut, 28, 34))[3]).toBe(255);
	});

	it('can be the HEIC photo of a phone, which is upright then', async () => {
		const photo = await phonePhoto();
		const edited = (await fileOf(await edit(photo, 'mirror, mirror'))).body;
		expect(await sharp(edited).metadata()).toMatchObject({ width: 192, height: 256 });
		const [seen, expected] = [await sharp(edited).raw().toBuffer(), await phonePhotoPixels()];
		const off = seen.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] ?? 0)), 0);
		expect(off / seen.length).toBeLessThan(8);
	});

	it('is as black in CMYK without a profile as sharp makes it', async () => {
		const black = await sharp(await plain(64, 64, '#000'))
			.toColourspace('cmyk')
			.jpeg()
			.toBuffer();
		const [red = 0, green = 0, blue = 0] = await pixel(
			(await fileOf(await edit(black))).body,
			9,
			9,
		);
		expect(Math.max(red, green, blue)).toBeLessThan(16);
	});

	it('is rotated by its EXIF orientation', async () => {
		const lying = await sharp(photo).jpeg().withMetadata({ orientation: 6 }).toBuffer();
		const edited = (await fileOf(await edit(lying))).body;
		expect(await sharp(edited).metadata()).toMatchObject({ width: 64, height: 96 });
	});

	const formats = 'Send JPEG, PNG, WebP, GIF, TIFF, AVIF or HEIC.';
	const damaged = 'file that cannot be decoded; it may be damaged or cut off.';
	it.each([
		['no image', () => Buffer.from('hello'), `is not a readable image. ${formats}`],
		['a JPEG cut off', async () => (await astronaut()).subarray(0, 20_000), `is a JPEG ${damaged}`],
		['HEIC cut off', async () => (await phonePhoto()).subarray(0, 6000), `is a HEIC ${damaged}`],
		['BMP', () => Buffer.from('BM..'), `is a BMP file, which this sandbox cannot read. ${formats}`],
	])('is refused with 415 and not charged if it is %s', async (_what, draw, message) => {
		const before = service.sandbox.ledger.length;
		const answer = await cutOut(await draw(), 'a (photo).heic');
		expect(answer.outcome()).toStrictEqual([415, `image: "a (photo).heic" ${message}`]);
		expect(service.sandbox.ledger).toHaveLength(before);
	});

	it('is refused without naming a path of the machine', async () => {
		const avif = await sharp(photo).avif().toBuffer();
		for (const bytes of [avif.subarray(0, 200), Buffer.from('<svg'), Buffer.from('II*\0')]) {
			const hidden = expect.not.stringMatching(/image-sandbox|upload-/) as unknown;
			expect((await cutOut(bytes)).outcome()).toStrictEqual([415, hidden]);
		}
	});

	it('is refused by its header above 50 million pixels and not charged', async () => {
		const before = service.sandbox.ledger.length;
		const size = { width: 8000, height: 6251, channels: 3, background: '#fff' } as const;
		const bomb = sharp({ create: size, limitInputPixels: false }).png({ compressionLevel: 1 });
		const message = 'image: "photo.png" has 8000 x 6251 pixels; the limit is 50 million pixels.';
		const bytes = await bomb.toBuffer();
		expect((await cutOut(bytes)).outcome()).toStrictEqual([413, message]);
		expect((await edit(bytes)).outcome()).toStrictEqual([413, message]);
		expect(service.sandbox.ledger).toHaveLength(before);
	});

	it('is refused with 413 if it is larger than maxImageBytes, uploaded or fetched', async () => {
		const { form, sandbox } = await start({ maxImageBytes: 1000 });
		const files = { image: { bytes: Buffer.alloc(200_000, 1), name: 'big.png' } };
		const uploaded = await form('background-remover', {}, files);
		expect(uploaded.outcome()).toStrictEqual([413, 'image: "big.png" is larger than 1000 bytes.']);
		const image = (await service.form('text2img', { text: 'x' })).link();
		const fetched = (await form('background-remover', { image })).outcome();
		expect(fetched).toStrictEqual([413, expect.stringContaining('is larger than 1000 bytes.')]);
		expect(sandbox.ledger).toStrictEqual([]);
	});
});

it('a call whose client leaves before its picture is made is not charged', async () => {
	const { sandbox, form, control } = await start();
	const client = new AbortController();
	const files = { image: { bytes: await plain(3000, 2000, '#48c') } };
	const { signal } = client;
	const left = clients.undici({ url: sandbox.url, tool: 'background-remover', files, signal });
	const gone = failure(left);
	await until(() => Boolean(sandbox.requests[0]?.files[0]?.sha256));
	client.abort();
	expect(await gone).toBe('AbortError');
	expect((await form('background-remover', {}, { image: { bytes: photo } })).status).toBe(200);
	expect(sandbox.ledger).toHaveLength(1);
	expect((await control('GET', 'calls')).json()).toMatchObject([
		{ outcome: 'charged' },
		{ outcome: 'left' },
	]);
});

it('a picture whose client leaves while it is made is dropped', async () => {
	const client = new AbortController();
	const tool: ToolDefinition = {
		...text2img,
		make: async () => {
			client.abort();
			await Promise.resolve();
			return undefined;
		},
	};
	const job = { settings: { width: '128', height: '128' }, image: undefined };
	const made = new Workbench().make(tool, job, 'no file', client.signal);
	await expect(made).rejects.toMatchObject({ name: 'AbortError' });
});

it('echoImages returns an upload unchanged, with the type of its first bytes', async () => {
	const { form } = await start({ echoImages: true });
	const bytes = Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(5_000_000, 7)]);
	const file = await fileOf(await form('background-remover', {}, { image: { bytes } }));
	expect(file.headers['content-type']).toBe('image/jpeg');
	expect(file.body.equals(bytes)).toBe(true);
});
