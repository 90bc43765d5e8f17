import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import { loadedWidth, type Editor } from '../support/wholeN8n/Editor.mjs';
import { photo, type Fixture } from '../support/wholeN8n/fixture.mjs';
import { PreviewAgent } from '../support/wholeN8n/PreviewAgent.mjs';
import { startModel, type Reply, type Turn } from '../support/wholeN8n/startModel.mjs';
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
		// By default the page can reach only n8n, but the picture comes from the service.
		await page.route(`${fixture.sandbox.url}/**`, (route) => route.continue());
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
