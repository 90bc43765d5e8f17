import sharp from 'sharp';
import { until } from '../support/until';
import { clients, failure, fileOf } from './clients';
import { astronaut, disc, plain } from './pictures';
import { useSandbox, useSandboxes } from './useSandbox';

const service = useSandbox();
const start = useSandboxes();
let photo: Buffer;
beforeAll(async () => {
	photo = await disc();
});

async function cutOut(bytes: Buffer) {
	return await service.form('background-remover', {}, { image: { bytes } });
}

async function edit(bytes: Buffer, text = 'blur') {
	return await service.form('image-editor', { text }, { image: { bytes } });
}

const fromUrl = async (image: string) => await service.form('background-remover', { image });

it('image accepts a URL, as a form and as JSON', async () => {
	const fields = { text: 'blur', image: (await edit(photo)).link() };
	for (const result of [
		await service.form('background-remover', fields),
		await service.json('image-editor', fields),
	]) {
		expect((await sharp((await fileOf(result)).body).metadata()).width).toBe(96);
	}
});

it.each(['background-remover', 'image-editor'])('image is required by %s', async (tool) => {
	const answer = await service.form(tool, { text: 'blur' });
	expect(answer.outcome()).toStrictEqual([400, 'image is required and was not sent.']);
});

it.each(['data:image/png;base64,AAAA', 'file:///etc/passwd', 'photo.png'])(
	'image refuses %s',
	async (image) => {
		const message = `image is "${image}"; it must be an uploaded file or an http:// or https:// address.`;
		expect((await fromUrl(image)).outcome()).toStrictEqual([400, message]);
	},
);

it('the refusal says what a URL returned instead of an image', async () => {
	const { url } = service.sandbox;
	const image = `${url}/job-view-file/gone/output.jpg`;
	const gone = [400, `image: "${image}" returned HTTP 404.`];
	expect((await fromUrl(image)).outcome()).toStrictEqual(gone);
	const page = (await fromUrl(`${url}/`)).outcome();
	expect(page).toStrictEqual([415, expect.stringContaining('is not an image')]);
	const nobody = (await fromUrl('http://localhost:3/a.png')).outcome();
	expect(nobody).toStrictEqual([400, expect.stringContaining('could not be fetched')]);
});

it('an image file can be JPEG, WebP, GIF, TIFF, AVIF, grey, 16-bit or transparent', async () => {
	const grey = sharp(photo).greyscale().toColourspace('b-w').png();
	for (const bytes of [
		await disc('jpeg'),
		await disc('webp'),
		await sharp(photo).gif().toBuffer(),
		await sharp(photo).tiff().toBuffer(),
		await sharp(photo).avif().toBuffer(),
		await grey.toBuffer(),
		await sharp(photo).toColourspace('rgb16').png().toBuffer(),
		await sharp(photo).ensureAlpha(0.4).png().toBuffer(),
	]) {
		for (const call of [edit, cutOut]) {
			const made = (await fileOf(await call(bytes))).body;
			expect(await sharp(made).metadata()).toMatchObject({ width: 96 });
		}
	}
});

const unknown = 'is not an image that the sandbox reads. Send JPEG, PNG, WebP, GIF, TIFF or AVIF.';
it.each([
	['no image', () => Buffer.from('hello'), unknown],
	['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), unknown],
	[
		'a JPEG cut off',
		async () => (await astronaut()).subarray(0, 20_000),
		'cannot be decoded; it may be damaged or cut off.',
	],
])(
	'an image file is refused with 415 and not charged if it is %s',
	async (_what, draw, message) => {
		const before = service.sandbox.ledger.length;
		const answer = await cutOut(await draw());
		expect(answer.outcome()).toStrictEqual([415, `image: "photo.png" ${message}`]);
		expect(service.sandbox.ledger).toHaveLength(before);
	},
);

it('a call whose client leaves before its picture is made is not charged', async () => {
	const { sandbox, form } = await start();
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
	expect(sandbox.requests[0]).toMatchObject({ status: null, isOver: true });
});

it('echoImages returns an upload unchanged, with the type of its first bytes', async () => {
	const { form } = await start({ echoImages: true });
	const bytes = Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(5_000_000, 7)]);
	const file = await fileOf(await form('background-remover', {}, { image: { bytes } }));
	expect(file.headers['content-type']).toBe('image/jpeg');
	expect(file.body.equals(bytes)).toBe(true);
});
