import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
	assertSuccess,
	hintsOf,
	rowsOf,
	type Execution,
} from '../../support/wholeN8n/execution.mjs';
import type { Fixture } from '../../support/wholeN8n/fixture.mjs';
import { FourImages } from '../../support/wholeN8n/FourImages.mjs';
import {
	columnsOf,
	createTable,
	deleteTable,
	insertRows,
	rowsOfTable,
} from '../../support/wholeN8n/tables.mjs';
import { untilLogged } from '../../support/wholeN8n/until.mjs';

/** The table of a Purchase Log. */
export function purchaseLogCases(fixture: Fixture): void {
	// SQLite does not know this capital.
	const logOf = (path: string) => `Übersicht ${path}`;
	const publish = async (path: string, node = {}) =>
		await FourImages.publish(fixture, path, { log: logOf(path), node });
	const unusable = /The purchase log ".+" can't be used: ./;
	const assertNothingSent = ({ status, data }: Execution, reason: RegExp, advice: RegExp) => {
		const { message = '', description = '' } = data.resultData.error ?? {};
		assert.equal(status, 'error');
		assert.match(message, /purchase log/i);
		assert.match(`${message} ${description}`, reason);
		assert.match(description, /This request was not sent\./);
		assert.match(description, advice);
		assert.deepEqual(fixture.calls(), []);
	};
	const fill = async (name: string) => {
		assert.ok(await createTable(fixture, name, ['text']));
		await insertRows(fixture, name, [{ text: 'x'.repeat(1_200_000) }]);
	};

	describe('Purchase Log', () => {
		it('has the columns that people read first, then those that the node needs, with neither keys nor images, and of a prompt only its first words', async () => {
			const flow = await publish('log-columns');
			const prompt = `a quiet fox ${'in a forest '.repeat(20)}with a secret`;
			assertSuccess(await flow.run([prompt]));

			assert.equal(
				(await columnsOf(fixture, logOf('log-columns'))).join(' '),
				'image link operation quality size workflow execution time entry request file node round manual holder result',
			);
			const [row, ...others] = await rowsOfTable(fixture, logOf('log-columns'));
			assert.deepEqual(others, []);
			const { image, link, operation, quality, size, workflow } = row ?? {};
			assert.match(String(image), /^Item 1, "a quiet fox in a forest /);
			assert.deepEqual(
				{ link, operation, quality, size, workflow },
				{
					link: fixture.charged(prompt)[0]?.outputUrl,
					operation: 'generate',
					quality: 'standard',
					size: '128x128',
					workflow: 'log-columns',
				},
			);
			const text = JSON.stringify(row);
			assert.doesNotMatch(text, /secret|test-key/);
			assert.ok(text.length < 2000, text);
		});

		it('delivers what was bought when its table is gone, sends nothing more, says both, and makes it again', async () => {
			const flow = await publish('log-gone', { onError: 'continueRegularOutput' });
			const [, hare, crow] = flow.prompts;
			const execution = await flow.runAndDo(() => deleteTable(fixture, logOf('log-gone')));

			assertSuccess(execution);
			assert.deepEqual(
				rowsOf(execution, 'Generate').map(({ json }) => unusable.test(String(json.error))),
				[false, false, true, true],
			);
			assert.deepEqual(fixture.calls(crow), []);
			assert.match(hintsOf(execution, 'Generate'), /The purchase log does not show everything/);
			await untilLogged(fixture.n8n.log, `Item 2, "${hare}" is missing from the purchase log`);

			assertSuccess(await flow.run(['a hare']));
			// With the two that the old table did not take.
			assert.equal((await rowsOfTable(fixture, logOf('log-gone'))).length, 3);
		});

		it('sends nothing if n8n has no room for its rows, and says so', async () => {
			const flow = await publish('log-full');
			await fill('Filler');
			const execution = await flow.run();
			await deleteTable(fixture, 'Filler');

			// A new table has no room either.
			assertNothingSent(execution, /size limit|full|no room/i, /^(?!.*new name)/s);
		});

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
	});
}

/** n8n 1 has no table that the node could use. */
export function noPurchaseLogCase(fixture: Fixture): void {
	it('a Purchase Log needs n8n 2.10: nothing is sent, and the message says so', async () => {
		const flow = await FourImages.publish(fixture, 'log-refused', { log: 'Image Purchases' });
		const { status, data } = await flow.run();
		const { message = '', description = '' } = data.resultData.error ?? {};

		assert.equal(status, 'error');
		assert.match(message, /'Purchase Log' needs n8n 2\.10 or newer\./);
		assert.match(description, /Nothing was sent\./);
		assert.deepEqual(fixture.calls(), []);
	});
}
