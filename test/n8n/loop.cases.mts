import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertSuccess, idsIn, rowsOf } from '../support/wholeN8n/execution.mjs';
import type { Fixture } from '../support/wholeN8n/fixture.mjs';
import {
	itsPrompt,
	loopOverItems,
	loopThrough,
	resumeUrl,
	splitOut,
	untilCalled,
	webhook,
} from '../support/wholeN8n/nodes.mjs';
import { untilN8n } from '../support/wholeN8n/until.mjs';

/** The node in a Loop Over Items that n8n puts aside in each round. */
export function waitingLoopCase(fixture: Fixture): void {
	it('a loop that waits for a person after each image gets another one in each round', async () => {
		const path = 'waiting-loop';
		const prompt = 'one more round';
		const parameters = {
			operation: 'generate',
			prompt: itsPrompt,
			size: '128x128',
		};
		const nodes = [
			webhook(path, 'onReceived'),
			splitOut,
			loopOverItems(),
			fixture.node('Generate', parameters),
			resumeUrl,
			untilCalled,
		];
		const wires = loopThrough('Generate', resumeUrl.name, untilCalled.name);
		const id = await fixture.publish(nodes, { wires });
		await fixture.call(path, { prompts: [prompt, prompt] });
		for (const round of [1, 2]) {
			let addresses: unknown[] = [];
			await untilN8n(`round ${round} waits`, async () => {
				const [waiting] = await fixture.api.executions(id);
				if (waiting?.status !== 'waiting') return false;
				const rows = rowsOf(await fixture.api.execution(waiting.id), resumeUrl.name);
				addresses = rows.map(({ json }) => json.url);
				return addresses.length === round;
			});
			assert.ok((await fetch(String(addresses.at(-1)), { method: 'POST' })).ok);
		}

		const execution = await fixture.api.lastExecution(id);
		assertSuccess(execution);
		assert.deepEqual(
			idsIn(execution, 'Generate'),
			fixture.charged(prompt).map(({ jobId }) => jobId),
		);
		assert.equal(fixture.charged(prompt).length, 2);
	});
}
