import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertSuccess, hintsOf, rowsOf } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { FourImages } from '../support/FourImages.mjs';
import type { SharedKill } from '../support/SharedKill.mjs';
import { changeRow, copyAsCsv, rowsOfTable, type TableRow } from '../support/tables.mjs';

/** A Purchase Log that people have edited, or made anew from a file. */
export function editedLogCases(fixture: Fixture, kill: SharedKill): void {
	/** Changes the row of a prompt as if by hand. */
	const edit = async ({ table }: FourImages, prompt: string, data: TableRow) => {
		const rows = await rowsOfTable(fixture, table);
		const found = rows.filter(({ image }) => String(image).includes(`"${prompt}"`));
		const [row, ...others] = found;
		assert.ok(row);
		assert.equal(others.length, 0);
		await changeRow(fixture, table, row, data);
	};
	const publish = async (path: string, options = {}) =>
		await FourImages.publish(fixture, path, { log: true, options });

	describe('A Purchase Log in people’s hands', () => {
		const imported = kill.share({
			publish: async () => await publish('log-imported'),
			begin: async (flow) => await flow.hang(),
			resume: async (flow) => {
				const columns = await copyAsCsv(fixture, flow.table, 'Imported log');
				await flow.useTable('Imported log');
				return { flow, columns, next: await flow.run() };
			},
		});

		it('still leaves what a killed run bought to the next one after n8n has exported it as CSV and imported it', async () => {
			const { flow, columns, next } = await imported();
			// n8n proposes it for whatever looks like a number (2.41.1).
			assert.equal(columns.find(({ name }) => name === 'execution')?.type, 'number');
			await flow.assertCompleted(next);
			const states = (await rowsOfTable(fixture, flow.table)).map(({ state }) => state);
			assert.equal(states.filter((state) => state === 'delivered').length, 4);
		});

		const cleared = kill.share({
			publish: async () => await publish('log-cleared'),
			begin: async (flow) => await flow.hang(),
			resume: async (flow) => {
				const [fox, , crow] = flow.prompts;
				await edit(flow, fox, { execution: null });
				await edit(flow, crow, { link: null, result: null });
				return { flow, next: await flow.run() };
			},
		});

		it('still leaves what a killed run bought to the next one if cells are cleared that it can do without', async () => {
			const { flow, next } = await cleared();
			await flow.assertCompleted(next);
		});

		const nonsense = kill.share({
			publish: async () => await publish('log-nonsense'),
			begin: async (flow) => await flow.hang(),
			resume: async (flow) => {
				const [, hare] = flow.prompts;
				await edit(flow, hare, { link: 'no address', result: 'nonsense' });
				return { flow, next: await flow.run() };
			},
		});

		it('costs one image if the link of its row was edited to nonsense, and stops nothing', async () => {
			const { flow, next } = await nonsense();
			assert.deepEqual(flow.charges, [1, 2, 1, 1]);
			await flow.assertDelivered(next);
			assert.match(hintsOf(next, 'Generate'), /2 images were bought|3 images were bought/);
		});

		const sameNumber = kill.share({
			publish: async () => ({
				flow: await publish('log-same-number'),
				another: await FourImages.publish(fixture, 'log-another-number'),
			}),
			begin: async ({ flow, another }) => {
				await flow.run();
				flow.refuseThird();
				const failed = await flow.run();
				another.refuseThird();
				const other = await another.run();
				assert.deepEqual([failed.status, other.status], ['error', 'error']);
			},
			resume: async ({ flow, another }) => {
				const [other] = await fixture.api.executions(another.id);
				const rows = await rowsOfTable(fixture, flow.table);
				const states = rows.flatMap(({ state }) => (state === 'running' ? [] : state)).sort();
				const execution = other?.id ?? '';
				for (const row of rows) await changeRow(fixture, flow.table, row, { execution });
				return { flow, states, next: await flow.run() };
			},
		});

		it('of another database leaves nothing because an execution here has the same number, so the next run buys its own', async () => {
			const { flow, states, next } = await sameNumber();
			const [delivered, failed] = ['delivered', 'failed'];
			assert.deepEqual(states, [delivered, delivered, delivered, delivered, failed, failed]);
			assert.deepEqual(flow.charges, [3, 3, 2, 2]);
			await flow.assertDelivered(next);
			assert.match(hintsOf(next, 'Generate'), /^4 images were bought\.$/m);
		});

		const delivered = kill.share({
			publish: async () => await publish('log-delivered', { reuse: 'always', concurrency: 5 }),
			begin: async (flow) => {
				const prompts = [...flow.prompts, `${flow.path} wren`];
				await flow.run(prompts);
				const [fox, hare, crow, owl] = flow.prompts;
				await edit(flow, fox, { run: null });
				await edit(flow, hare, { result: null });
				await edit(flow, crow, { execution: null });
				await edit(flow, owl, { link: null });
				const edited = await flow.run(prompts);
				return { prompts, edited, costs: prompts.map((it) => fixture.charged(it).length) };
			},
			resume: async (flow) => {
				const prompts = [...flow.prompts, `${flow.path} wren`];
				const before = prompts.map((it) => fixture.charged(it).length);
				return { prompts, before, again: await flow.run(prompts) };
			},
		});

		it('lets a run that asks for images whose cells were cleared end well, buys no other image, and none twice more', async () => {
			const { prompts, before, again } = await delivered();
			const [fox, hare, crow, owl, wren] = before;
			assert.deepEqual([fox, crow, owl, wren], [1, 1, 1, 1]);
			assert.ok(hare === 1 || hare === 2, String(hare));
			assertSuccess(again);
			assert.equal(rowsOf(again, 'Generate').length, 5);
			assert.deepEqual(
				prompts.map((it) => fixture.charged(it).length),
				before,
			);
		});
	});
}
