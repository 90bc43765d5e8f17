import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import { loadedWidth, type Editor } from '../support/wholeN8n/Editor.mjs';
import { photo, type Fixture } from '../support/wholeN8n/fixture.mjs';
import { startModel, type Reply, type Turn } from '../support/wholeN8n/startModel.mjs';
import type { WorkflowNode } from '../support/wholeN8n/workflow.mjs';
import { fromModel, linkIn } from './agents.cases.mjs';

/** A node's arguments, and what the model does after each result. */
type Tool = Parameters<Fixture['node']>;
type Script = readonly ((turn: Turn) => Reply)[];

const generate: Tool = ['Generate image', { operation: 'generate', prompt: fromModel('prompt') }];
const removeBackground: Tool = [
	'Remove background',
	{
		operation: 'removeBackground',
		inputType: 'url',
		imageUrl: fromModel('image_url'),
	},
];
const edit: Tool = [
	'Edit photo',
	{
		operation: 'edit',
		inputType: 'url',
		imageUrl: fromModel('image_url'),
		prompt: fromModel('instruction'),
	},
];

/** Starts a scripted model and an agent that uses it. */
async function start(fixture: Fixture, context: TestContext, script: Script, ...tools: Tool[]) {
	const model = await startModel(
		fixture,
		(turn) => script[turn.results.length]?.(turn) ?? { text: 'The script is over' },
	);
	context.after(model.close);
	const nodes = tools.map((tool) => fixture.node(...tool));
	const agent = await PreviewAgent.create(fixture, model.credentials.openAiApi.id, nodes);
	return { agent, model };
}

/** The node as a tool of n8n's Agents, with a scripted model. */
export function previewAgentCases(fixture: Fixture): void {
	describe('An agent of n8n’s Agents', () => {
		it('draws, edits the drawing by its link, cuts it out and reacts to a rejection', async (context) => {
			const body = { err: 'This is not allowed here' };
			fixture.sandbox.arm({ fault: 'status', status: 400, body, when: 'forbidden' });
			const { agent, model } = await start(
				fixture,
				context,
				[
					() => ({ tool: 'Generate_image', values: { prompt: 'a forbidden fruit' } }),
					() => ({ tool: 'Generate_image', values: { prompt: 'a red fox' } }),
					({ results: [, drawn = ''] }) => ({
						tool: 'Edit_photo',
						values: { image_url: linkIn(drawn), instruction: 'make it black and white' },
					}),
					({ results: [, , edited = ''] }) => ({
						tool: 'Remove_background',
						values: { image_url: linkIn(edited) },
					}),
					({ results }) => ({ text: `![A red fox](${linkIn(results.at(-1) ?? '')})` }),
				],
				generate,
				edit,
				removeBackground,
			);

			const text = await agent.chat('Draw a fox');

			const [drawn, edited, cutOut, ...more] = fixture.charged();
			assert.deepEqual(more, []);
			assert.equal(drawn?.fields.text, 'a red fox');
			assert.equal(edited?.fields.image, drawn.outputUrl);
			assert.equal(edited.fields.text, 'make it black and white');
			assert.equal(cutOut?.fields.image, edited.outputUrl);
			assert.equal(text, `![A red fox](${cutOut.outputUrl})`);

			const results = model.turns.at(-1)?.results ?? [];
			assert.match(results[0] ?? '', /This is not allowed here/);
			assert.doesNotMatch(results.join('\n'), /undefined|"binary"/);
			const log = await readFile(fixture.n8n.log, 'utf8');
			for (const { jobId } of [drawn, edited, cutOut]) {
				const line = log.split('\n').find((each) => each.includes(jobId));
				assert.match(line ?? '', /was bought/);
				assert.doesNotMatch(line ?? '', /undefined/);
			}
		});

		// What docs/ai-agents.md and docs/development/what-n8n-offers.md say.
		it('sees a photo from the chat, but its tools get no file, and it learns what to do', async (context) => {
			const { agent, model } = await start(
				fixture,
				context,
				[
					() => ({ tool: 'Remove_background', values: {} }),
					() => ({ text: 'I need the address of your photo.' }),
				],
				['Remove background', { operation: 'removeBackground' }],
			);

			await agent.chat('Cut me out', [
				{ fileName: 'me.jpg', mimeType: 'image/jpeg', bytes: photo },
			]);

			assert.deepEqual(fixture.calls(), []);
			const [first, last] = model.turns;
			assert.match(first?.user ?? '', /data:image\/jpeg;base64/);
			assert.match(last?.results[0] ?? '', /A tool gets only the files that reach its agent/);
		});
	});
}

/** What a person sees of such an agent. */
export function previewChatCase(fixture: Fixture, editor: () => Editor): void {
	it('The preview of n8n’s Agents shows the image that the agent made', async (context) => {
		const { agent } = await start(
			fixture,
			context,
			[
				() => ({ tool: 'Generate_image', values: { prompt: 'a red fox in the snow' } }),
				({ results: [drawn = ''] }) => ({
					text: `Here is your fox:\n\n![A red fox in the snow](${linkIn(drawn)})`,
				}),
			],
			generate,
			edit,
			removeBackground,
		);
		const { page, picture } = editor();
		await page.goto(agent.address);
		await page.getByRole('button', { name: 'Preview' }).first().click();
		const input = page.getByPlaceholder('Message Painter…');
		await input.fill('Draw a red fox in the snow');
		await input.press('Enter');
		const image = page.locator(`img[alt="A red fox in the snow"]`);

		assert.ok((await loadedWidth(image)) > 0);
		const [drawn, ...more] = fixture.charged();
		assert.deepEqual(more, []);
		assert.equal(await image.getAttribute('src'), drawn?.outputUrl);
		await page.getByText('Cross-session memory').scrollIntoViewIfNeeded();
		await picture('agents.png');
	});
}

/** A file that somebody attaches to a message. */
interface Attachment {
	fileName: string;
	mimeType: string;
	bytes: Buffer;
}

/** The events of n8n's stream that matter here (2.41.1). */
type StreamEvent =
	| { type: 'text-delta'; delta: string }
	| { type: 'error'; message: string }
	| { type: 'other' };

/** An agent in n8n's Agents, which is a preview in 2.41.1 and runs its tools without a workflow. */
class PreviewAgent {
	private constructor(
		private readonly fixture: Fixture,
		private readonly project: string,
		private readonly id: string,
	) {}

	/**
	 * Creates an agent.
	 * @param model id of an OpenAI credential
	 */
	static async create(
		fixture: Fixture,
		model: string,
		tools: readonly WorkflowNode[],
	): Promise<PreviewAgent> {
		const { session } = fixture;
		const { id: project } = (await session.get('/projects/personal')) as { id: string };
		const path = `/projects/${project}/agents/v2`;
		const { id } = (await session.post(path, { name: 'Painter' })) as { id: string };
		const { config, configHash } = (await session.get(`${path}/${id}/config`)) as {
			config: Record<string, unknown>;
			configHash: string;
		};
		await session.put(`${path}/${id}/config`, {
			baseConfigHash: configHash,
			config: {
				...config,
				model: 'openai/scripted',
				credential: model,
				instructions: 'Draw and edit what the user asks for.',
				tools: tools.map(toTool),
			},
		});
		return new PreviewAgent(fixture, project, id);
	}

	/** Where its page is in the editor. */
	get address(): string {
		return `${this.fixture.n8n.url}/projects/${this.project}/agents/${this.id}`;
	}

	/** Sends it a message, like the preview's chat in the editor. @returns its answer, once it is complete */
	async chat(message: string, attachments: readonly Attachment[] = []): Promise<string> {
		const { url, cookie } = this.fixture.session;
		const path = `/rest/projects/${this.project}/agents/v2/${this.id}/chat`;
		const response = await fetch(`${url}${path}`, {
			method: 'POST',
			headers: {
				cookie,
				'content-type': 'application/json',
				connection: 'close',
			},
			body: JSON.stringify({
				message,
				attachments: attachments.map(({ fileName, mimeType, bytes }) => ({
					fileName,
					mimeType,
					data: bytes.toString('base64'),
				})),
			}),
		});
		let text = '';
		for (const line of (await response.text()).split('\n')) {
			if (!line.startsWith('data: ')) continue;
			const event = JSON.parse(line.slice('data: '.length)) as StreamEvent;
			if (event.type === 'text-delta') text += event.delta;
			if (event.type === 'error') throw new Error(event.message);
		}
		return text;
	}
}

/** A node as n8n's editor adds it to an agent, by the type that n8n makes for tools. */
function toTool({ name, type, typeVersion, parameters, credentials }: WorkflowNode) {
	return {
		type: 'node',
		name,
		node: {
			nodeType: `${type}Tool`,
			nodeTypeVersion: typeVersion,
			nodeParameters: parameters,
			credentials,
		},
	};
}
