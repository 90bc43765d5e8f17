import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { send } from './clients';
import { useSandbox } from './useSandbox';

const service = useSandbox();

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
