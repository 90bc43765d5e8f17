import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertSuccess, hintsOf, rowsOf, type Execution } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { FourImages } from '../support/FourImages.mjs';
import {
	createTable,
	deleteTable,
	insertRow,
	renameTable,
	rowsOfTable,
} from '../support/tables.mjs';
import { untilLogged } from '../support/until.mjs';

/** The table of a Purchase Log. */
export function purchaseLogCases(fixture: Fixture): void {
	const publish = async (path: string, node = {}) =>
		await FourImages.publish(fixture, path, { log: true, node });
	const unusable = /The purchase log ".+" can't be used: ./;
	const assertNothingSent = ({ status, data }: Execution, reason: RegExp, advice = /./) => {
		const { message = '', description = '' } = data.resultData.error ?? {};
		assert.equal(status, 'error');
		assert.match(message, unusable);
		assert.match(message, reason);
		assert.match(description, /This request was not sent\. Correct the table, or enter a new name in 'Purchase Log'/);
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
			const flow = await publish('log-gone', { onError: 'continueRegularOutput' });
			const [, hare, crow] = flow.prompts;
			const execution = await flow.runAndDo(() => deleteTable(fixture, flow.table));

			assertSuccess(execution);
			assert.deepEqual(
				rowsOf(execution, 'Generate').map(({ json }) => unusable.test(String(json.error))),
				[false, false, true, true],
			);
			assert.deepEqual(fixture.calls(crow), []);
			assert.match(hintsOf(execution, 'Generate'), /The purchase log does not show everything/);
			await untilLogged(fixture.n8n.log, `Item 2, "${hare}" is missing from the purchase log`);

			if (!fixture.host.version.startsWith('2.')) return;
			assertSuccess(await flow.run(['a hare']));
			// With the two that the old table did not take.
			assert.equal((await rowsOfTable(fixture, flow.table)).length, 3);
		});

		it('goes on with its table if it is renamed', async () => {
			const flow = await publish('log-renamed');
			const newName = 'Log of another name';
			assertSuccess(await flow.runAndDo(() => renameTable(fixture, flow.table, newName)));

			const rows = await rowsOfTable(fixture, newName);
			assert.deepEqual(
				rows.map(({ state }) => state),
				flow.prompts.map(() => 'delivered'),
			);
		});

		it('sends nothing if n8n has no room for its rows, and says so', async () => {
			const flow = await publish('log-full');
			assert.ok(await createTable(fixture, 'Filler', ['text']));
			await insertRow(fixture, 'Filler', { text: 'x'.repeat(1_200_000) });
			const execution = await flow.run();
			await deleteTable(fixture, 'Filler');

			assertNothingSent(execution, /size limit exceeded/i);
		});

		it('sends nothing if the table with its id has other columns, and lists those it needs', async () => {
			const purchaseLog = await createTable(fixture, 'Something Else', ['image', 'note']);
			const flow = await FourImages.publish(fixture, 'log-columns', { options: { purchaseLog } });

			// The first two reads go together: n8n refuses the column of one of them.
			const reason = /\b(node|request)\b/;
			assertNothingSent(await flow.run(), reason, /text columns: image, link, state,/);
		});

		it('contains neither keys nor images, and of a prompt only its first words', async () => {
			const flow = await publish('log-private');
			const prompt = `a quiet fox ${'in a forest '.repeat(20)}with a secret`;
			assertSuccess(await flow.run([prompt]));
			const rows = await rowsOfTable(fixture, flow.table);
			const text = JSON.stringify(rows);

			assert.equal(rows.length, 1);
			assert.match(text, /a quiet fox/);
			assert.doesNotMatch(text, /secret|test-key/);
			assert.ok(text.length < 2000, text);
		});
	});
}
