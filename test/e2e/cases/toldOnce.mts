import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertSuccess, hintsOf, idsIn } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { FourImages } from '../support/FourImages.mjs';
import type { SharedKill } from '../support/SharedKill.mjs';
import { rowsOfTable } from '../support/tables.mjs';
import { until } from '../support/until.mjs';

const path = 'told-once';
/** What an execution has bought as n8n is killed. The next four runs ask for one each, and not for the rest. */
const bought = ['red', 'green', 'blue', 'white', 'black', 'gray'].map((it) => `${path} ${it}`);
/** What it has sent, without an answer. */
const sent = ['slow', 'slower', 'slowest'].map((it) => `${path} ${it} hanging`);

/** Four executions begin together after a kill. */
export function toldOnceCase(fixture: Fixture, kill: SharedKill): void {
	const started = kill.share({
		publish: async () =>
			await FourImages.publish(fixture, path, { log: true, options: { concurrency: 10 } }),
		begin: async (flow) => {
			fixture.sandbox.arm({ fault: 'hang', times: sent.length, when: 'hanging' });
			await flow.call([...bought, ...sent]);
			await until('all requests are in progress', () =>
				sent.every((prompt) => fixture.calls(prompt).length === 1),
			);
			await until('the table has all rows', async () => {
				const states = (await rowsOfTable(fixture, flow.table)).map(({ state }) => state);
				const count = (wanted: string) => states.filter((state) => state === wanted).length;
				return count('bought') === bought.length && count('sent') === sent.length;
			});
		},
		resume: async (flow) => {
			const [killed] = await fixture.api.executions(flow.id);
			// So they look for what is left at about the same time.
			fixture.sandbox.arm({ fault: 'delay', delayMs: 3000, times: 4, when: `${path} new` });
			await Promise.all(
				bought.slice(0, 4).map(async (prompt, run) => {
					await flow.call([prompt, `${path} new ${run}`]);
				}),
			);
			const executions = await fixture.api.finished(flow.id, 5);
			return executions.filter(({ id }) => id !== killed?.id);
		},
	});

	it('Of four executions that begin together one tells of each request and each link that n8n left', async () => {
		const executions = await started();
		assert.equal(executions.length, 4);
		executions.forEach(assertSuccess);
		const hints = executions.map((execution) => hintsOf(execution, 'Generate')).join('\n');
		const told = (text: string) => hints.split(text).length - 1;
		const links = bought.map((prompt) => fixture.charged(prompt)[0]?.outputUrl ?? 'no link');

		const times = links.map(told);
		assert.deepEqual(times.slice(4), [1, 1], hints);
		// A run that tells before another has asked for its image tells of that as well.
		assert.ok(
			times.every((count) => count <= 1),
			hints,
		);
		const labels = sent.map(
			(prompt, index) => `Item ${bought.length + index + 1}, &quot;${prompt}&quot;`,
		);
		assert.deepEqual(labels.map(told), [1, 1, 1], hints);
		// Each takes over the image that it asks for.
		for (const prompt of bought) assert.equal(fixture.charged(prompt).length, 1);
		const ids = executions.flatMap((execution) => idsIn(execution, 'Generate'));
		assert.equal(new Set(ids).size, 8);
	});
}
