import { useFixture } from '../support/fixture';
import { runInAgent } from '../support/runInAgent';
import { fox, generate, marked } from '../support/runs';

const fixture = useFixture();
const call = async (...[parameters, input]: [Parameters<typeof runInAgent>[0], object?]) =>
	await runInAgent(parameters, fixture.credential, { ...input });
const detailsOf = ([row]: Awaited<ReturnType<typeof call>>) => row?.json;

describe('the node in n8n’s Agents, which run each call by itself', () => {
	it('generates an image, and edits and cuts out what its link shows', async () => {
		const [drawn] = await call(fox());
		const link = fixture.charges()[0]?.outputUrl ?? '';
		const image = { inputType: 'url', imageUrl: '={{ $json.link }}' };
		await call({ ...image, operation: 'edit', prompt: 'make it black and white' }, { link });
		await call({ ...image, operation: 'removeBackground' }, { link });

		expect(fixture.charges().map(({ tool }) => tool)).toStrictEqual([
			'text2img',
			'image-editor',
			'background-remover',
		]);
		expect(drawn?.json).toStrictEqual({
			fileName: marked('a-fox'),
			id: fixture.charges()[0]?.jobId,
			output_url: fixture.charges()[0]?.outputUrl,
			markdown: `![Image](${fixture.charges()[0]?.outputUrl})`,
		});
	});

	it('buys an image for each call, because the agent asked for it', async () => {
		await call(fox());
		await call(fox());

		expect(fixture.charged()).toBe(2);
	});

	it('buys one image for equal calls at once: the first gave up, or was sent twice', async () => {
		fixture.sandbox.arm({ fault: 'delay', delayMs: 300 });
		const calls = await Promise.all([call(fox()), call(fox())]);

		const [{ jobId = '' } = {}, ...others] = fixture.charges();
		expect(others).toStrictEqual([]);
		expect(calls.flat().map(({ json }) => json.id)).toStrictEqual([jobId, jobId]);
	});

	it('returns the service’s message and bad input in words that a model can act on', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, body: { err: 'The text is too long' } });
		expect(detailsOf(await call(fox()))).toMatchObject({ error: 'The text is too long' });

		const { error } = detailsOf(await call({ ...fox(), prompt: '' })) ?? {};
		expect(error).toBe("'Prompt' is empty.");
	});

	it('refuses a Purchase Log, which it can’t have there, before it buys anything', async () => {
		const options = { purchaseLog: 'Images' };
		const row = detailsOf(await call(generate(options), { title: 'A fox' }));

		expect(row).toMatchObject({
			error:
				"'Purchase Log' can't be used by an agent here, because n8n runs each call without a workflow.",
			details: {
				advice: expect.stringMatching(/^Nothing was sent\. Remove the option/) as string,
			},
		});
		expect(fixture.calls()).toStrictEqual([]);
	});

	it.each([
		['Max Images', { maxImages: 1, numberOfImages: 2 }],
		['Max Images per Day', { maxImagesPerDay: 1, numberOfImages: 2 }],
	])('buys no more in a call than %s allows', async (name, options) => {
		const rows = await call(generate(options), { title: 'A fox' });

		expect(rows[1]?.json.error).toContain(`'${name}' is 1`);
		expect(fixture.charged()).toBeLessThan(2);
	});
});
