import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { assertSuccess, hintsOf, rowsOf, type Execution } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { webhook } from '../support/nodes.mjs';
import {
	createTable,
	deleteTable,
	insertRow,
	loggedPrompts,
	promptsOf,
	renameTable,
	rowsOfTable,
} from '../support/purchaseLog.mjs';
import { until } from '../support/until.mjs';

/** The table of a Purchase Log. @param makesTable whether the node makes it, as in n8n 2 */
export function purchaseLogCases(fixture: Fixture, makesTable: boolean): void {
	const { publish, run } = loggedPrompts(fixture, makesTable);

	/** Runs it, and changes its table while the hare is in progress. */
	const runAndChange = async (
		path: string,
		prompts: string[],
		change: (table: string) => Promise<void>,
	): Promise<Execution> => {
		const { id, table } = await publish(path);
		const when = 'hare';
		fixture.sandbox.arm({ fault: 'delay', delayMs: 4000, when });
		return await fixture.api.run(id, async () => {
			await fixture.call(path, { prompts });
			await until('the hare is in progress', () =>
				fixture.calls().some(({ fields }) => fields.text?.includes(when)),
			);
			await change(table);
		});
	};
	const remove = async (table: string) => {
		await deleteTable(fixture, table);
	};
	const assertUnusable = ({ status, data }: Execution, reason: RegExp) => {
		const { message = '', description = '' } = data.resultData.error ?? {};
		assert.equal(status, 'error');
		assert.match(message, /The purchase log ".+" can't be used: ./);
		assert.match(message, reason);
		assert.match(description, /Nothing was sent\. In 'Purchase Log', enter/);
	};

	describe('Purchase Log', () => {
		it('leaves nothing in the list of executions but the workflow’s own', async () => {
			const query = new URLSearchParams({ filter: '{}', limit: '100' });
			const { results } = (await fixture.session.get(`/executions?${query.toString()}`)) as {
				results: Array<{ mode: string }>;
			};
			assert.ok(results.length > 5);
			assert.deepEqual(
				results.filter(({ mode }) => mode === 'integrated'),
				[],
			);
		});

		it('sends nothing if its table is gone, and says so', async () => {
			const path = 'log-gone';
			const execution = await runAndChange(path, promptsOf(path), remove);

			assert.deepEqual(fixture.calls(promptsOf(path)[2]), []);
			assertUnusable(execution, /./);
		});

		it(
			'makes its table again if that was deleted after an earlier run',
			{ skip: !makesTable },
			async () => {
				const path = 'log-made-again';
				const { id, table } = await publish(path);
				assertSuccess(await run(path, id, ['a hare']));
				await remove(table);

				assertSuccess(await run(path, id, ['a hare']));

				assert.equal((await rowsOfTable(fixture, table)).length, 1);
			},
		);

		it('goes on with its table if it is renamed', async () => {
			const path = 'log-renamed';
			const newName = 'Log of another name';
			const rename = async (table: string) => {
				await renameTable(fixture, table, newName);
			};
			assertSuccess(await runAndChange(path, promptsOf(path), rename));

			const rows = await rowsOfTable(fixture, newName);
			assert.deepEqual(
				rows.map(({ state }) => state),
				promptsOf(path).map(() => 'delivered'),
			);
		});

		it('delivers an image that was bought when its table is gone, and says that its row is missing', async () => {
			const execution = await runAndChange('log-gone-late', ['a late hare'], remove);

			assertSuccess(execution);
			assert.equal(rowsOf(execution, 'Generate').length, 1);
			assert.match(hintsOf(execution, 'Generate'), /The purchase log does not show everything/);
			const log = await readFile(fixture.n8n.log, 'utf8');
			assert.match(log, /Item 1, "a late hare" is missing from the purchase log/);
		});

		it('sends nothing if n8n has no room for its rows, and says so', async () => {
			const path = 'log-full';
			const { id } = await publish(path);
			assert.ok(await createTable(fixture, 'Filler', ['text']));
			await insertRow(fixture, 'Filler', { text: 'x'.repeat(1_200_000) });
			const execution = await run(path, id);
			await remove('Filler');

			assert.deepEqual(fixture.calls(), []);
			assertUnusable(execution, /size limit exceeded/i);
		});

		it('sends nothing if the table with its id has other columns, and lists those it needs', async () => {
			const path = 'log-columns';
			const purchaseLog = await createTable(fixture, 'Something Else', ['image', 'note']);
			const { id } = await publish(path, { purchaseLog });
			const execution = await run(path, id);

			assert.deepEqual(fixture.calls(), []);
			assertUnusable(execution, /node/);
			const { error } = execution.data.resultData;
			assert.match(error?.description ?? '', /text columns: image, link, state,/);
		});

		it('contains neither keys nor images, and of a prompt only its first words', async () => {
			const path = 'log-private';
			const { id, table } = await publish(path);
			const prompt = `a quiet fox ${'in a forest '.repeat(20)}with a secret`;
			assertSuccess(await run(path, id, [prompt]));
			const rows = await rowsOfTable(fixture, table);
			const text = JSON.stringify(rows);

			assert.equal(rows.length, 1);
			assert.match(text, /a quiet fox/);
			assert.doesNotMatch(text, /secret|test-key/);
			assert.ok(text.length < 2000, text);
		});

		it('keeps the purchases of each node and workflow apart', async () => {
			const table = 'Shared Log';
			const purchaseLog = makesTable ? table : await createTable(fixture, table);
			const options = { purchaseLog, reuse: 'always' };
			const parameters = { operation: 'generate', prompt: 'a shared fox', options };
			for (const path of ['log-apart', 'log-apart-2']) {
				const id = await fixture.publish([
					webhook(path, 'onReceived'),
					...['Generate', 'Again'].map((name) => ({ ...fixture.node(name, parameters), id: name })),
				]);
				for (let round = 0; round < 2; round++) assertSuccess(await run(path, id));
			}

			assert.equal(fixture.charged().length, 4);
		});
	});
}
