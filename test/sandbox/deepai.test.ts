import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import sharp from 'sharp';
import { startSandbox, type Sandbox } from '../../sandbox';
import { send } from './clients';

/** The part of the npm package `deepai`, the service's own client, that the tests use. */
interface Client {
	setApiKey(key: string): void;
	callStandardApi(
		model: string,
		inputs: Record<string, unknown>,
	): Promise<{ id: string; output_url: string }>;
}

const photo = join(__dirname, '../../examples/photos/astronaut.jpg');
let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
	sandbox = await startSandbox();
	// The client has no option for its base URL, so the test mocks the module that defines it.
	const address = createRequire(__filename)('deepai/lib/core/apiBaseUrl.js') as { baseUrl: string };
	jest.doMock('deepai/lib/core/apiBaseUrl.js', () => ({ ...address, baseUrl: sandbox.url }));
	client = jest.requireActual<Client>('deepai');
	client.setApiKey('test-key');
});
afterAll(async () => {
	await sandbox.close();
});

/** Downloads a job's picture and reads its metadata. */
async function pictureOf({ id, output_url }: { id: string; output_url: string }) {
	expect(output_url).toContain(`/job-view-file/${id}/`);
	return await sharp((await send(output_url)).body).metadata();
}

describe("the service's own npm client", () => {
	it('generates an image from a text', async () => {
		const job = await client.callStandardApi('text2img', { text: 'a red fox', width: '256' });
		expect(await pictureOf(job)).toMatchObject({ format: 'jpeg', width: 256, height: 512 });
		expect(sandbox.requests[0]?.headers).toMatchObject({ 'client-library': 'deepai-js-client' });
	});

	it.each([
		['a file from disk', async () => await Promise.resolve(createReadStream(photo))],
		['a buffer', async () => await readFile(photo)],
	])('uploads %s', async (_what, open) => {
		const job = await client.callStandardApi('background-remover', { image: await open() });
		expect(await pictureOf(job)).toMatchObject({ format: 'png', hasAlpha: true });
	});

	it('edits the image at a URL', async () => {
		const { output_url: image } = await client.callStandardApi('text2img', { text: 'a boat' });
		const inputs = { image, text: 'make it black and white', image_generator_version: 'genius' };
		const edited = await pictureOf(await client.callStandardApi('image-editor', inputs));
		expect(edited).toMatchObject({ format: 'jpeg', width: 512 });
	});

	it("receives the sandbox's message if a call is refused", async () => {
		await expect(client.callStandardApi('text2img', { width: '256' })).rejects.toMatchObject({
			response: { status: 400, data: { err: 'text is required and was not sent.' } },
		});
	});
});
