import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { clients, fileOf, send } from './clients';
import { disc, pixel } from './pictures';
import { useSandbox } from './useSandbox';

const service = useSandbox();

describe.each(Object.entries(clients))('%s', (_name, client) => {
	it('receives id and output_url of an image that needs no key', async () => {
		const { sandbox } = service;
		const result = await client({ url: sandbox.url, tool: 'text2img', fields: { text: 'a fox' } });
		expect(result.status).toBe(200);
		const id = String(result.json()['id']);
		expect(result.json()).toStrictEqual({
			id,
			output_url: `${sandbox.url}/job-view-file/${id}/outputs/output.jpg`,
		});
		expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
		const { headers, body } = await fileOf(result);
		expect(headers).toMatchObject({
			'content-type': 'image/jpeg',
			'content-length': `${body.length}`,
		});
		expect(await sharp(body).metadata()).toMatchObject({ format: 'jpeg', width: 512 });
		expect(body.equals(await sandbox.output(id))).toBe(true);
	});

	it('receives a PNG of the same size with alpha if it uploads an image to cut out', async () => {
		const files = { image: { bytes: await disc() } };
		const result = await client({ url: service.sandbox.url, tool: 'background-remover', files });
		expect(result.link()).toMatch(/\/output\.png$/);
		const { headers, body } = await fileOf(result);
		expect(headers['content-type']).toBe('image/png');
		const shape = { format: 'png', width: 96, height: 64, hasAlpha: true };
		expect(await sharp(body).metadata()).toMatchObject(shape);
		expect([(await pixel(body, 2, 2))[3], (await pixel(body, 40, 34))[3]]).toStrictEqual([0, 255]);
	});

	it('receives a JPEG if it uploads an image to edit, and its whole request is recorded', async () => {
		const bytes = await disc();
		const result = await client({
			url: service.sandbox.url,
			tool: 'image-editor',
			fields: { text: 'make it grayscale', more: '1' },
			files: { image: { bytes, name: 'Föto 1.png' } },
		});
		expect(result.link()).toMatch(/\/output\.jpg$/);
		const [red, green, blue] = await pixel((await fileOf(result)).body, 40, 34);
		expect([red, green]).toStrictEqual([green, blue]);
		const request = service.sandbox.requests.at(-2);
		expect(request).toMatchObject({
			method: 'POST',
			path: '/api/image-editor',
			headers: { 'api-key': 'test-key' },
			fields: { text: 'make it grayscale', more: '1' },
			fieldOrder: ['text', 'more', 'image'],
			files: [
				{
					field: 'image',
					fileName: 'Föto 1.png',
					mimeType: 'image/png',
					bytes: bytes.length,
					sha256: createHash('sha256').update(bytes).digest('hex'),
				},
			],
			status: 200,
		});
		const { bytesReceived = 0, headers = {} } = request ?? {};
		expect(bytesReceived).toBe(Number(headers['content-length'] ?? bytesReceived));
		expect(bytesReceived).toBeGreaterThan(bytes.length);
	});
});

describe("the service's own npm client", () => {
	/** The part of the npm package `deepai` that the tests use. */
	interface Client {
		setApiKey(key: string): void;
		callStandardApi(
			model: string,
			inputs: Record<string, unknown>,
		): Promise<{ id: string; output_url: string }>;
	}
	let client: Client;
	beforeAll(() => {
		// The client has no option for its base URL, so the test mocks the module that defines it.
		const module = 'deepai/lib/core/apiBaseUrl.js';
		const address = createRequire(__filename)(module) as { baseUrl: string };
		jest.doMock(module, () => ({ ...address, baseUrl: service.sandbox.url }));
		client = jest.requireActual<Client>('deepai');
		client.setApiKey('test-key');
	});

	/** Downloads a job's picture and reads its metadata. */
	async function pictureOf({ id, output_url }: { id: string; output_url: string }) {
		expect(output_url).toContain(`/job-view-file/${id}/`);
		return await sharp((await send(output_url)).body).metadata();
	}

	it('generates an image from a text, and edits the image at its URL', async () => {
		const job = await client.callStandardApi('text2img', { text: 'a boat', width: '256' });
		const call = service.sandbox.requests.at(-1);
		expect(call?.headers).toMatchObject({ 'client-library': 'deepai-js-client' });
		expect(await pictureOf(job)).toMatchObject({ format: 'jpeg', width: 256, height: 512 });
		const inputs = { image: job.output_url, text: 'sepia', image_generator_version: 'genius' };
		const edited = await pictureOf(await client.callStandardApi('image-editor', inputs));
		expect(edited).toMatchObject({ format: 'jpeg', width: 256 });
	});

	it('uploads a file from disk', async () => {
		const image = createReadStream('examples/photos/astronaut.jpg');
		const job = await client.callStandardApi('background-remover', { image });
		expect(await pictureOf(job)).toMatchObject({ format: 'png', hasAlpha: true });
	});

	it("receives the sandbox's message if a call is refused", async () => {
		await expect(client.callStandardApi('text2img', { width: '256' })).rejects.toMatchObject({
			response: { status: 400, data: { err: 'text is required and was not sent.' } },
		});
	});
});
