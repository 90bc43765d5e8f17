import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
	assertSuccess,
	hintsOf,
	idsIn,
	imageOf,
	rowsOf,
} from '../../support/wholeN8n/execution.mjs';
import type { Fixture } from '../../support/wholeN8n/fixture.mjs';
import { itsPrompt, splitOut, stock, webhook } from '../../support/wholeN8n/nodes.mjs';

const THIRTY = Array.from({ length: 30 }, (_, index) => `title ${index + 1}`);

/** What was meant is bought, as people run into it in n8n. */
export function meantCases(fixture: Fixture): void {
	it('thirty rows and a fixed prompt get one image, each as a file of its own', async () => {
		const prompt = 'One fox for all rows';
		const generate = fixture.node('Generate', { operation: 'generate', size: '128x128', prompt });
		const nodes = [webhook('fixed-prompt'), splitOut, generate];
		const execution = await fixture.run(nodes, { prompts: THIRTY });

		assertSuccess(execution);
		const rows = rowsOf(execution, 'Generate');
		assert.equal(fixture.charged(prompt).length, 1);
		assert.equal(rows.length, 30);
		assert.deepEqual(
			rows.map(({ pairedItem }) => pairedItem),
			THIRTY.map((_title, item) => ({ item })),
		);
		const [first, last] = await Promise.all(
			[rows[0], rows[29]].map(async (row) => {
				const file = row === undefined ? undefined : imageOf(row);
				assert.ok(file !== undefined);
				return await fixture.api.bytesOf(file);
			}),
		);
		assert.deepEqual(first, last);
		assert.equal(new Set(rows.map((row) => imageOf(row)?.id)).size, 30);
		assert.match(hintsOf(execution, 'Generate'), /All 30 items ask for the same image/);
	});

	it('braces that n8n does not fill in are refused before anything is paid, with what to write instead', async () => {
		const prompt = 'Cake for {{title}}';
		const titles = { mode: 'raw', jsonOutput: '={{ { title: "Anna" } }}', options: {} };
		const execution = await fixture.run([
			webhook('fixed-braces', 'onReceived'),
			stock('Rows', 'set', 3.4, titles),
			fixture.node('Generate', { operation: 'generate', size: '128x128', prompt }),
		]);

		assert.equal(execution.status, 'error');
		const { message = '', description = '' } = execution.data.resultData.error ?? {};
		assert.match(`${message} ${description}`, /'Prompt'.*\{\{ \$json\.title \}\}/s);
		assert.equal(fixture.charged(prompt).length, 0);
	});

	it('a picture that a workflow rejects with Stop And Error is bought again', async () => {
		const prompt = 'A rejected fox';
		const path = 'gate';
		const id = await fixture.publish([
			webhook(path, 'onReceived'),
			splitOut,
			fixture.node('Generate', { operation: 'generate', size: '128x128', prompt: itsPrompt }),
			stock('Reject', 'stopAndError', 1, { errorMessage: 'picture rejected' }),
		]);
		const call = async () => await fixture.call(path, { prompts: [prompt] });
		const first = await fixture.api.run(id, call);
		const second = await fixture.api.run(id, call);

		assert.deepEqual([first.status, second.status], ['error', 'error']);
		assert.equal(fixture.charged(prompt).length, 2);
		assert.notDeepEqual(idsIn(first, 'Generate'), idsIn(second, 'Generate'));
	});
}
