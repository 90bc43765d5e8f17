import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { loggedPrompts, prompts } from '../support/loggedPrompts.mjs';
import type { Execution } from '../support/N8nApi.mjs';
import { imageGeneration, webhook } from '../support/nodes.mjs';
import {
	createTable,
	deleteTable,
	insertRow,
	renameTable,
	rowsOfTable,
} from '../support/purchaseTable.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { until } from '../support/until.mjs';
import { chain, workflow } from '../support/workflow.mjs';

/** Where n8n's versions differ. */
export interface LogMarks {
	/** Whether the node makes the table. */
	makesTable: boolean;
}

/** What a Purchase Log keeps when n8n's process ends. */
export function purchaseLogCases(fixture: Fixture, { makesTable }: LogMarks): void {
	const { publish, begin, asked } = loggedPrompts(fixture, makesTable);
	const chargedFor = (text: string) =>
		fixture.charged().filter(({ fields }) => fields.text === text).length;
	/** Runs it. @returns the execution once it has finished */
	const run = async (path: string, id: string, texts = prompts): Promise<Execution> =>
		await fixture.api.run(id, () => callWebhook(fixture, path, { prompts: texts }));
	const hintsOf = ({ data }: Execution) =>
		(data.resultData.runData.Generate?.[0]?.hints ?? []).map(({ message }) => message).join('\n');
	/**
	 * Asserts that this execution bought only the third and fourth image.
	 * @param before how the only other execution of the workflow ended
	 */
	const assertTakenOver = async (
		execution: Execution,
		{ id, table, before }: { id: string; table: string; before: 'crashed' | 'canceled' },
	) => {
		assertSuccess(execution);
		const all = await fixture.api.executions(id);
		assert.deepEqual(
			all.map(({ mode, status }) => `${mode} ${status}`),
			[`${execution.mode} success`, `webhook ${before}`],
		);
		assert.equal(rowsOf(execution, 'Generate').length, 4);
		for (const { json, binary } of rowsOf(execution, 'Generate')) {
			const kept = binary?.data && (await fixture.api.bytesOf(binary.data));
			assert.deepEqual(kept, await fixture.sandbox.output(String(json.id)));
		}
		assert.deepEqual(['a fox', 'a hare', 'an owl'].map(chargedFor), [1, 1, 1]);
		assert.equal(asked('a crow'), 2);
		const hints = hintsOf(execution);
		assert.match(hints, /2 images were bought, 2 images were kept from a stopped run/);
		assert.match(
			hints,
			/1 request that was cut off may have been charged: Item 3, &quot;a crow&quot;/,
		);
		const states = (await rowsOfTable(fixture, table)).map(({ image, state }) => [image, state]);
		assert.deepEqual(states.sort(), [
			['Item 1, "a fox"', 'delivered'],
			['Item 2, "a hare"', 'delivered'],
			['Item 3, "a crow"', 'delivered'],
			['Item 3, "a crow"', 'unclear'],
			['Item 4, "an owl"', 'delivered'],
		]);
	};

	describe('Purchase Log', () => {
		for (const how of ['the next execution', 'Retry'] as const) {
			it(`keeps what was bought when n8n is killed, for ${how}`, async () => {
				const path = how === 'Retry' ? 'log-killed-retry' : 'log-killed';
				const { id, table } = await publish(path);
				await begin(path, table);
				await fixture.restart('kill');
				const restarted = Date.now();
				fixture.sandbox.disarm();
				const [crashed] = await fixture.api.executions(id);
				if (how === 'Retry') await fixture.api.retry(crashed?.id ?? '', 'currently saved');
				const next = how === 'Retry' ? fixture.api.lastRetry(id) : run(path, id);
				await assertTakenOver(await next, { id, table, before: 'crashed' });
				const seconds = Math.round((Date.now() - restarted) / 1000);
				console.log(`After SIGKILL, ${how} had its images ${seconds} s after the restart.`);
				assert.ok(seconds < 45);
			});
		}

		it('keeps what a stopped run bought when n8n restarts', async () => {
			const path = 'log-stopped';
			const { id, table } = await publish(path);
			await begin(path, table);
			await fixture.api.stopAll(id);
			await until('it is stopped', async () => {
				const [last] = await fixture.api.executions(id);
				return last?.status === 'canceled';
			});
			await fixture.restart('stop');
			fixture.sandbox.disarm();
			await assertTakenOver(await run(path, id), { id, table, before: 'canceled' });
		});

		it('buys only what is new with Reuse Images set to Always, after a restart as well', async () => {
			const path = 'log-always';
			const { id } = await publish(path, { reuse: 'always', concurrency: 5 });
			assertSuccess(await run(path, id));
			assert.equal(fixture.charged().length, 4);
			await fixture.restart('kill');
			const next = await run(path, id, [...prompts, 'a new owl']);

			assertSuccess(next);
			assert.equal(rowsOf(next, 'Generate').length, 5);
			assert.equal(fixture.charged().length, 5);
			assert.match(hintsOf(next), /1 image was bought, 4 images were reused from an earlier run/);
		});

		it('leaves nothing in the list of executions but the workflow’s own', async () => {
			const query = new URLSearchParams({ filter: '{}', limit: '100' });
			const { results } = (await fixture.session.get(`/executions?${query.toString()}`)) as {
				results: Array<{ mode: string }>;
			};
			assert.deepEqual(
				results.filter(({ mode }) => mode === 'integrated'),
				[],
			);
		});

		/** Runs it, and changes its table while 'a hare' is in progress. */
		const runAndChange = async (
			path: string,
			texts: string[],
			change: (fixture: Fixture, table: string) => Promise<void>,
		) => {
			const { id, table } = await publish(path);
			fixture.sandbox.arm({ fault: 'delay', delayMs: 4000, when: 'a hare' });
			return await fixture.api.run(id, async () => {
				await callWebhook(fixture, path, { prompts: texts });
				await until('the hare is in progress', () => asked('a hare') === 1);
				await change(fixture, table);
			});
		};
		const assertUnusable = ({ status, data }: Execution, reason: RegExp) => {
			const { message = '', description = '' } = data.resultData.error ?? {};
			assert.equal(status, 'error');
			assert.match(message, /The purchase log ".+" can't be used: ./);
			assert.match(message, reason);
			assert.match(description, /Nothing was sent\. In 'Purchase Log', enter/);
		};

		it('sends nothing if its table is gone, and says so', async () => {
			const execution = await runAndChange('log-gone', prompts, deleteTable);

			assert.equal(asked('a crow'), 0);
			assertUnusable(execution, /./);
		});

		it(
			'makes its table again if that was deleted after an earlier run',
			{ skip: !makesTable },
			async () => {
				const path = 'log-made-again';
				const { id, table } = await publish(path);
				assertSuccess(await run(path, id, ['a hare']));
				await deleteTable(fixture, table);

				assertSuccess(await run(path, id, ['a hare']));

				assert.equal((await rowsOfTable(fixture, table)).length, 1);
			},
		);

		it('goes on with its table if it is renamed', async () => {
			const newName = 'Log of another name';
			assertSuccess(
				await runAndChange('log-renamed', prompts, async (_, table) => {
					await renameTable(fixture, table, newName);
				}),
			);

			const rows = await rowsOfTable(fixture, newName);
			assert.deepEqual(
				rows.map(({ state }) => state),
				prompts.map(() => 'delivered'),
			);
		});

		it('delivers an image that was bought when its table is gone, and says that its row is missing', async () => {
			const execution = await runAndChange('log-gone-late', ['a hare'], deleteTable);

			assertSuccess(execution);
			assert.equal(rowsOf(execution, 'Generate').length, 1);
			assert.match(hintsOf(execution), /The purchase log does not show everything/);
			const log = await readFile(fixture.n8n.log, 'utf8');
			assert.match(log, /Item 1, "a hare" is missing from the purchase log/);
		});

		it('sends nothing if n8n has no room for its rows, and says so', async () => {
			const path = 'log-full';
			const { id } = await publish(path);
			const filler = await createTable(fixture, 'Filler', ['text']);
			assert.ok(filler);
			await insertRow(fixture, 'Filler', { text: 'x'.repeat(1_200_000) });
			const execution = await run(path, id);
			await deleteTable(fixture, 'Filler');

			assert.equal(fixture.calls().length, 0);
			assertUnusable(execution, /size limit exceeded/i);
		});

		it('sends nothing if the table with its id has other columns, and lists those it needs', async () => {
			const purchaseLog = await createTable(fixture, 'Something Else', ['image', 'note']);
			const path = 'log-columns';
			const { id } = await publish(path, { purchaseLog });
			const execution = await run(path, id);

			assert.equal(fixture.calls().length, 0);
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

		it('keeps the purchases of each node, workflow and account apart', async () => {
			const table = 'Shared Log';
			const purchaseLog = makesTable ? table : await createTable(fixture, table);
			const options = { purchaseLog, reuse: 'always' };
			const parameters = {
				operation: 'generate',
				prompt: 'a shared fox',
				download: false,
				options,
			};
			const publishTwo = async (path: string) => {
				const node = (name: string) => ({
					...imageGeneration(name, parameters, { credentials: fixture.credentials }),
					id: name,
				});
				return await fixture.api.publish(
					workflow(
						path,
						[webhook(path, { responseMode: 'onReceived' }), node('Generate'), node('Again')],
						chain('Webhook', 'Generate', 'Again'),
					),
					`/webhook/${path}`,
				);
			};
			const useAccountOf = async (host: string) => {
				const baseUrl = fixture.sandbox.url.replace('127.0.0.1', host);
				const { id, name } = fixture.credentials.imageGenerationApi ?? { id: '', name: '' };
				const data = { baseUrl, apiKey: 'test-key' };
				await fixture.api.editCredential(id, name, 'imageGenerationApi', data);
			};
			const charges: number[] = [];
			const runTwice = async (path: string, id: string) => {
				for (let round = 0; round < 2; round++) {
					assertSuccess(await run(path, id));
					charges.push(fixture.charged().length);
				}
			};
			const id = await publishTwo('log-apart');
			await runTwice('log-apart', id);
			await runTwice('log-apart-2', await publishTwo('log-apart-2'));
			await useAccountOf('localhost');
			await runTwice('log-apart', id);
			await useAccountOf('127.0.0.1');
			await runTwice('log-apart', id);

			assert.deepEqual(charges, [2, 2, 4, 4, 6, 6, 6, 6]);
		});
	});
}
