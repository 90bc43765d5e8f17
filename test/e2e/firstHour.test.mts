import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { runWorkflow } from '../../scripts/host/runWorkflow.mjs';
import { useEditor } from './support/Editor.mjs';
import { useFixture } from './support/fixture.mjs';
import { callOf, manualTrigger, stock, webhook, whenCalled } from './support/nodes.mjs';
import { until } from './support/until.mjs';
import { workflow } from './support/workflow.mjs';

/** What a person who has read only the README does in the editor, by clicks, and what it costs. */
describe(`The first hour in n8n ${hostVersion('n8n-2')}`, () => {
	const fixture = useFixture({ hostName: 'n8n-2', name: 'first-hour' });
	const editor = useEditor(fixture, 'n8n-2');

	/** Opens the node, in a workflow that gives it an item of each prompt. */
	const open = async (name: string, prompts: string[]): Promise<void> => {
		const { openWorkflow, openNode } = editor();
		const jsonOutput = JSON.stringify({ prompts });
		await openWorkflow(
			workflow(name, [
				manualTrigger,
				stock('Prompts', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
				stock('Split Prompts', 'splitOut', 1, { fieldToSplitOut: 'prompts' }),
				fixture.node('Image', {
					operation: 'generate',
					prompt: '={{ $json.prompts }}',
					options: { concurrency: 1 },
				}),
			]),
		);
		await openNode('Image');
	};

	/** Clicks Execute step and waits for a text in the output. */
	const executeStep = async (text: string | RegExp): Promise<void> => {
		const { part } = editor();
		await part('node-execute-button').click();
		await part('output-panel').getByText(text).first().waitFor();
	};

	/** Adds an option as people do. */
	const addOption = async (name: string): Promise<void> => {
		const { page, optionsToAdd } = editor();
		await optionsToAdd();
		await page
			.locator('.el-select-dropdown__item')
			.filter({ visible: true, hasText: name })
			.first()
			.click();
	};

	it('Purchase Log has a name when it is added, and is refused in words when that is cleared', async () => {
		await open('Log', ['l1']);
		await addOption('Purchase Log');
		const name = editor().part('parameter-input-purchaseLog').locator('input').first();
		assert.equal(await name.inputValue(), 'Image Purchases');
		await name.fill('');
		await executeStep("'Purchase Log' is empty.");
		assert.equal(fixture.charged().length, 0);
	});

	it('a Purchase Log that is added later does not make the node forget what was bought before', async () => {
		await open('Later Log', ['a pink mug']);
		await executeStep('1 image was bought.');
		await addOption('Purchase Log');
		await executeStep(/cost nothing/);
		assert.equal(fixture.charged().length, 1);
	});

	it('two test events of a trigger that ask for the same cost one image', async () => {
		const path = 'test-event';
		const node = fixture.node('Image', { operation: 'generate', prompt: 'a test event' });
		const id = await fixture.api.createWorkflow(workflow(path, [webhook(path), node]));
		const sendTestEvent = async () => {
			const run = runWorkflow(fixture.session, id, 'Webhook', () => undefined);
			await until('n8n listens for a test event', async () => {
				return (await fixture.call(path, {}, 'webhook-test')).ok;
			});
			await run;
		};
		await sendTestEvent();
		await sendTestEvent();
		assert.equal(fixture.charged().length, 1);
	});

	it('a second click on a workflow costs nothing, nor one on the node that calls it, if its images are made in a sub-workflow', async () => {
		const { openWorkflow, openNode, execute } = editor();
		const sub = await fixture.api.createWorkflow(
			workflow('Called', [
				whenCalled,
				fixture.node('Image', { operation: 'generate', prompt: 'a called mug' }),
			]),
		);
		const call = callOf(sub);
		await openWorkflow(workflow('Calling', [manualTrigger, call]));
		await execute();
		await execute();
		await openNode('Call');
		await executeStep('1 item');
		assert.equal(fixture.charged().length, 1);
	});
});
