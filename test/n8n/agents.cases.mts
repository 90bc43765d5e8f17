import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertSuccess, rowsOf, type Execution } from '../support/wholeN8n/execution.mjs';
import { photo, upload, type Fixture } from '../support/wholeN8n/fixture.mjs';
import { form } from '../support/wholeN8n/nodes.mjs';
import { startModel, type Reply, type Turn } from '../support/wholeN8n/startModel.mjs';
import { chain, type Wire, type WorkflowNode } from '../support/wholeN8n/workflow.mjs';

/** A parameter that the model fills in. */
export const fromModel = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;

/** The node as an AI agent's tools, with a scripted model. */
export function agentCases(fixture: Fixture, hostName: string): void {
	const tool = (name: string, parameters: Record<string, unknown>): WorkflowNode => ({
		...fixture.node(name, parameters),
		type: 'n8n-nodes-image-generation.imageGenerationTool',
	});
	/** Runs an agent behind a form with a photo. @returns what its model saw at the end */
	const run = async (
		path: string,
		decide: (results: string[]) => Reply,
		tools: WorkflowNode[],
		{ typeVersion = 3, settings = {} } = {},
	): Promise<{ turn: Turn; execution: Execution }> => {
		const scripted = await startModel(fixture, ({ results }) => decide(results));
		const agent = {
			name: 'AI Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion,
			parameters: { promptType: 'define', text: 'Make something nice of my photo', options: {} },
		};
		const model = {
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
			credentials: scripted.credentials,
		};
		const trigger = form(path, 'Photo');
		const wires: Wire[] = [
			...chain(trigger.name, 'AI Agent'),
			{ from: 'Model', to: 'AI Agent', type: 'ai_languageModel' },
			...tools.map((each): Wire => ({ from: each.name, to: 'AI Agent', type: 'ai_tool' })),
		];
		try {
			const nodes = [trigger, agent, model, ...tools];
			const execution = await fixture.run(nodes, upload(['field-0', 'me.jpg', photo]), {
				wires,
				settings,
			});
			assertSuccess(execution);
			const turn = scripted.turns.at(-1);
			assert.ok(turn);
			return { turn, execution };
		} finally {
			scripted.close();
		}
	};

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
			const body = { err: 'This is not allowed here' };
			fixture.sandbox.arm({ fault: 'status', status: 400, body, when: 'forbidden' });
			const { turn, execution } = await run(
				'agent',
				(results) => script[results.length]?.(results) ?? { text: 'The script is over' },
				[
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
			);

			assert.deepEqual(turn.tools.sort(), ['Edit_Photo', 'Generate_Image', 'Remove_Background']);
			const [refusal = '', ...results] = turn.results;
			assert.match(refusal, /This is not allowed here/);
			const jobs = fixture.charged();
			assert.deepEqual(
				results.map(jobIn).map(({ id, output_url }) => [id, output_url]),
				jobs.map(({ jobId, outputUrl }) => [jobId, outputUrl]),
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
			const output = String(rowsOf(execution, 'AI Agent')[0]?.json.output);
			for (const { outputUrl } of jobs) assert.ok(output.includes(outputUrl));
		});

		it('that runs a workflow with the node as its tool does not look as if it were over, with Save execution progress', async () => {
			const prompt = 'a fox for the agent';
			const generate = fixture.node('Generate', { operation: 'generate', prompt });
			const sub = await fixture.publishCalled('Draw', generate);
			const draw: WorkflowNode = {
				name: 'Draw',
				type: '@n8n/n8n-nodes-langchain.toolWorkflow',
				typeVersion: 2.2,
				parameters: {
					description: 'Draws a fox',
					workflowId: { __rl: true, mode: 'id', value: sub },
					workflowInputs: { mappingMode: 'defineBelow', value: {} },
				},
			};
			const { turn } = await run(
				'workflow-tool',
				({ length }) => (length === 0 ? { tool: 'Draw', values: {} } : { text: 'Done' }),
				[draw],
				{ typeVersion: 2.2, settings: { saveExecutionProgress: true } },
			);

			assert.equal(fixture.charged(prompt).length, 1, turn.results.join());
			assert.match(turn.results.join(), /output_url/);
		});

		// The same in both (2.41.1 and 1.123.81).
		if (hostName === 'n8n-1') return;

		it('buys no more than Max Images in calls at once, and learns why', async () => {
			const calls = ['red', 'grey', 'white', 'swift', 'blue'].map((what) => ({
				Prompt: `a ${what} fox`,
			}));
			const options = { maxImages: 3 };
			const prompt = fromModel('Prompt');
			const { turn } = await run(
				'capped-agent',
				({ length }) =>
					length < calls.length
						? { tool: 'Generate_Image', values: calls }
						: { text: 'That is all' },
				[tool('Generate Image', { operation: 'generate', prompt, options })],
			);

			assert.equal(turn.results.length, calls.length);
			const bought = turn.results.filter((result) => result.includes('output_url'));
			assert.equal(bought.length, 3);
			const charged = fixture.charged().map(({ jobId }) => jobId);
			assert.deepEqual(bought.map((result) => jobIn(result).id).sort(), charged.sort());
			for (const refusal of turn.results.filter((result) => !bought.includes(result))) {
				assert.match(refusal, /'Max Images' is 3 and this execution has already bought 3/);
				assert.match(refusal, /Answer with those you have\./);
			}
		});
	});
}

/** The job in a tool's output, a JSON list with one entry (n8n 2.41.1 and 1.123.81). */
function jobIn(result: string): { id: string; output_url: string } {
	const [job] = [JSON.parse(result)].flat() as [{ id: string; output_url: string }];
	return job;
}

/** The link in a tool's output. */
export function linkIn(result: string): string {
	return /http[^"\\\s]+\.\w+/.exec(result)?.[0] ?? '';
}
