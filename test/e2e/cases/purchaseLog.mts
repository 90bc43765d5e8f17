import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { assertSuccess, hintsOf, rowsOf, type Execution } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
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

	/** Runs it, and does something while the hare is in progress. */
	const runAndDo = async (path: string, id: string, change: () => Promise<void>) => {
		const when = 'hare';
		fixture.sandbox.arm({ fault: 'delay', delayMs: 4000, when });
		return await fixture.api.run(id, async () => {
			await fixture.call(path, { prompts: promptsOf(path) });
			await until('the hare is in progress', () =>
				fixture.calls().some(({ fields }) => fields.text?.includes(when)),
			);
			await change();
		});
	};
	const unusable = /The purchase log ".+" can't be used: ./;
	const assertNothingSent = ({ status, data }: Execution, reason: RegExp, advice: RegExp) => {
		const { message = '', description = '' } = data.resultData.error ?? {};
		assert.equal(status, 'error');
		assert.match(message, unusable);
		assert.match(message, reason);
		assert.match(description, /Nothing was sent\. In 'Purchase Log', enter/);
		assert.match(description, advice);
		assert.deepEqual(fixture.calls(), []);
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

		it('delivers what was bought when its table is gone, sends nothing more, says both, and makes it again in n8n 2', async () => {
			const path = 'log-gone';
			const [, hare, crow] = promptsOf(path);
			const { id, table } = await publish(path, {}, { onError: 'continueRegularOutput' });
			const remove = () => deleteTable(fixture, table);
			const execution = await runAndDo(path, id, remove);

			assertSuccess(execution);
			assert.deepEqual(
				rowsOf(execution, 'Generate').map(({ json }) => unusable.test(String(json.error))),
				[false, false, true, true],
			);
			assert.deepEqual(fixture.calls(crow), []);
			assert.match(hintsOf(execution, 'Generate'), /The purchase log does not show everything/);
			const log = await readFile(fixture.n8n.log, 'utf8');
			assert.ok(log.includes(`Item 2, "${hare}" is missing from the purchase log`));

			if (!makesTable) return;
			assertSuccess(await run(path, id, ['a hare']));
			assert.equal((await rowsOfTable(fixture, table)).length, 1);
		});

		it('goes on with its table if it is renamed', async () => {
			const path = 'log-renamed';
			const newName = 'Log of another name';
			const { id, table } = await publish(path);
			assertSuccess(await runAndDo(path, id, () => renameTable(fixture, table, newName)));

			const rows = await rowsOfTable(fixture, newName);
			assert.deepEqual(
				rows.map(({ state }) => state),
				promptsOf(path).map(() => 'delivered'),
			);
		});

		it('sends nothing if n8n has no room for its rows, and says so', async () => {
			const path = 'log-full';
			const { id } = await publish(path);
			assert.ok(await createTable(fixture, 'Filler', ['text']));
			await insertRow(fixture, 'Filler', { text: 'x'.repeat(1_200_000) });
			const execution = await run(path, id);
			await deleteTable(fixture, 'Filler');

			assertNothingSent(execution, /size limit exceeded/i, /./);
		});

		it('sends nothing if the table with its id has other columns, and lists those it needs', async () => {
			const path = 'log-columns';
			const purchaseLog = await createTable(fixture, 'Something Else', ['image', 'note']);
			const { id } = await publish(path, { purchaseLog });

			assertNothingSent(await run(path, id), /node/, /text columns: image, link, state,/);
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
	});
}
