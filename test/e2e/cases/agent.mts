import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callWebhook } from '../support/callWebhook.mjs';
import { photo, type Fixture } from '../support/fixture.mjs';
import { form, imageGeneration, webhook } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { startModel, type Model, type Reply } from '../support/startModel.mjs';
import { chain, workflow, type WorkflowNode } from '../support/workflow.mjs';

const agent: WorkflowNode = {
	name: 'AI Agent',
	type: '@n8n/n8n-nodes-langchain.agent',
	typeVersion: 3,
	parameters: { promptType: 'define', text: 'Make something nice of my photo', options: {} },
};

const model = (credential: { id: string; name: string }): WorkflowNode => ({
	name: 'Model',
	type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
	typeVersion: 1.2,
	parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
	credentials: { openAiApi: credential },
});

/** The node as an AI agent's tools, with a scripted model. */
export function agentCases(fixture: Fixture): void {
	const tool = (name: string, parameters: Record<string, unknown>): WorkflowNode => ({
		...imageGeneration(name, parameters, { credentials: fixture.credentials }),
		type: 'n8n-nodes-image-generation.imageGenerationTool',
	});
	const credentialFor = async ({ url }: Model) => {
		const name = 'Scripted model';
		const data = { apiKey: 'none', url };
		return { id: await fixture.api.createCredential(name, 'openAiApi', data), name };
	};
	const fromModel = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;

	describe('AI Agent', () => {
		it('uses all three operations as tools and reacts to a rejection', async () => {
			const script: ((results: string[]) => Reply)[] = [
				() => ({ tool: 'Generate_Image', values: { Prompt: 'a forbidden fruit' } }),
				() => ({ tool: 'Generate_Image', values: { Prompt: 'a red fox' } }),
				() => ({ tool: 'Edit_Photo', values: { Instruction: 'make it black and white' } }),
				([, generated = '']) => ({
					tool: 'Remove_Background',
					values: { Image_URL: jobIn(generated).output_url },
				}),
				(results) => ({ text: `Here you are: ${results.join('\n')}` }),
			];
			const scripted = await startModel(({ results }) => {
				const reply = script[results.length];
				assert.ok(reply, 'The script is over');
				return reply(results);
			});
			try {
				const refused = { err: 'This is not allowed here' };
				fixture.sandbox.arm({ fault: 'status', status: 400, body: refused, when: 'forbidden' });
				const openAi = await credentialFor(scripted);
				const id = await fixture.api.publish(
					workflow(
						'Agent',
						[
							form('chat', 'Photo', false),
							agent,
							model(openAi),
							tool('Generate Image', { operation: 'generate', prompt: fromModel('Prompt') }),
							tool('Edit Photo', {
								operation: 'edit',
								prompt: fromModel('Instruction'),
								binaryPropertyName: "={{ $('On form submission').item.binary.Photo }}",
							}),
							tool('Remove Background', {
								operation: 'removeBackground',
								inputType: 'url',
								imageUrl: fromModel('Image_URL'),
							}),
						],
						[
							...chain('On form submission', 'AI Agent'),
							{ from: 'Model', to: 'AI Agent', type: 'ai_languageModel' },
							{ from: 'Generate Image', to: 'AI Agent', type: 'ai_tool' },
							{ from: 'Edit Photo', to: 'AI Agent', type: 'ai_tool' },
							{ from: 'Remove Background', to: 'AI Agent', type: 'ai_tool' },
						],
					),
					'/form/chat',
				);
				const filled = new FormData();
				filled.append('field-0', new File([photo], 'me.jpg', { type: 'image/jpeg' }));
				await fetch(`${fixture.n8n.url}/form/chat`, { method: 'POST', body: filled });
				const execution = await fixture.api.lastExecution(id);

				assertSuccess(execution);
				const [first] = scripted.turns;
				assert.deepEqual(first?.tools.sort(), [
					'Edit_Photo',
					'Generate_Image',
					'Remove_Background',
				]);
				const [refusal = '', ...results] = scripted.turns.at(-1)?.results ?? [];
				assert.match(refusal, /This is not allowed here/);
				const jobs = fixture.charged();
				assert.deepEqual(
					results.map(jobIn).map(({ id: jobId, output_url }) => ({ id: jobId, output_url })),
					jobs.map(({ jobId, outputUrl }) => ({ id: jobId, output_url: outputUrl })),
				);
				assert.deepEqual(
					jobs.map(({ tool: used, fields: { text, image } }) => [used, text ?? image]),
					[
						['text2img', 'a red fox'],
						['image-editor', 'make it black and white'],
						['background-remover', jobs[0]?.outputUrl],
					],
				);
				const sent = fixture.calls().flatMap(({ files }) => files);
				assert.deepEqual(
					sent.map(({ fileName, bytes }) => [fileName, bytes]),
					[['me.jpg', photo.length]],
				);
				// The only download is the service's own: it fetches the image to cut out.
				assert.equal(fixture.downloads().length, 1);
				const [answer] = rowsOf(execution, 'AI Agent');
				for (const { outputUrl } of jobs) {
					assert.ok(String(answer?.json.output).includes(outputUrl));
				}
			} finally {
				scripted.close();
			}
		});

		for (const [how, path, atOnce] of [
			['one after the other', 'capped-agent', 1],
			['at once', 'parallel-agent', 5],
		] as const) {
			it(`buys no more than Max Images in calls ${how}, and learns why`, async () => {
				const calls = 5;
				const scripted = await startModel(({ results }) =>
					results.length < calls
						? { tool: 'Generate_Image', values: { Prompt: 'a red fox' }, times: atOnce }
						: { text: 'That is all' },
				);
				try {
					const openAi = await credentialFor(scripted);
					const id = await fixture.api.publish(
						workflow(
							`Agent with calls ${how}`,
							[
								webhook(path, { responseData: 'noData' }),
								agent,
								model(openAi),
								tool('Generate Image', {
									operation: 'generate',
									prompt: fromModel('Prompt'),
									options: { maxImages: 3 },
								}),
							],
							[
								...chain('Webhook', 'AI Agent'),
								{ from: 'Model', to: 'AI Agent', type: 'ai_languageModel' },
								{ from: 'Generate Image', to: 'AI Agent', type: 'ai_tool' },
							],
						),
						`/webhook/${path}`,
					);
					await callWebhook(fixture, path, {});
					assertSuccess(await fixture.api.lastExecution(id));

					const { results = [] } = scripted.turns.at(-1) ?? {};
					assert.equal(results.length, calls);
					const bought = results.filter((result) => result.includes('output_url'));
					const refused = results.filter((result) => !bought.includes(result));
					assert.deepEqual(
						bought.map((result) => jobIn(result).id).sort(),
						fixture
							.charged()
							.map(({ jobId }) => jobId)
							.sort(),
					);
					assert.equal(bought.length, 3);
					for (const refusal of refused) {
						assert.match(refusal, /'Max Images' is 3 and this execution has already bought 3/);
						assert.match(refusal, /Answer with those you have\./);
					}
				} finally {
					scripted.close();
				}
			});
		}
	});
}

/** The job in a tool's output, a JSON list with one entry (n8n 2.40.3 and 1.123.81). */
function jobIn(result: string): { id: string; output_url: string } {
	const [job] = [JSON.parse(result)].flat() as [{ id: string; output_url: string }];
	return job;
}
