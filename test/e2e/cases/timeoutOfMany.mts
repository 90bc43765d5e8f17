import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { assertSuccess, hintsOf, idsIn, type Execution } from '../support/execution.mjs';
import { logChoices, type Fixture } from '../support/fixture.mjs';
import { FourImages } from '../support/FourImages.mjs';

/** The timeout of a workflow that has forty requests under way, some of which were just answered. */
export function timeoutOfManyCases(fixture: Fixture, hostName: string): void {
	describe('The timeout of a workflow with forty requests at once', () => {
		const flows = new Map<boolean, Outcome>();
		before(async () => {
			const outcomes = logChoices(hostName).map(async (log) => {
				flows.set(log, await runInto(fixture, log));
			});
			await Promise.all(outcomes);
		});

		for (const log of logChoices(hostName)) {
			it(`leaves every image that was answered to the next run, ${log ? 'with' : 'without'} a Purchase Log`, async () => {
				const { prompts, canceled, next } = flows.get(log) ?? {};
				assert.ok(prompts && canceled && next);
				assert.equal(canceled.status, 'canceled');
				assertSuccess(next);
				const answered = await paidBy(fixture, canceled);
				const known = prompts.filter((prompt) => answered.has(firstJob(fixture, prompt)));
				const cutOff = prompts.length - known.length;
				assert.ok(known.length > 0 && cutOff > 0, `${known.length} were answered`);

				for (const prompt of known) assert.equal(fixture.charged(prompt).length, 1, prompt);
				const delivered = idsIn(next, 'Generate');
				assert.equal(new Set(delivered).size, prompts.length);
				for (const id of answered) assert.ok(delivered.includes(id), id);
				const hints = hintsOf(next, 'Generate');
				assert.ok(
					hints.includes(`${known.length} images were kept from a run that did not finish.`),
					hints,
				);
				assert.ok(hints.includes(`${cutOff} requests that were cut off may have been charged: `));
				await fixture.assertStored(next, 'Generate');
			});
		}
	});
}

interface Outcome {
	prompts: string[];
	canceled: Execution;
	next: Execution;
}

async function runInto(fixture: Fixture, log: boolean): Promise<Outcome> {
	const path = log ? 'many-logged' : 'many';
	const flow = await FourImages.publish(fixture, path, {
		log,
		options: { concurrency: 40 },
		settings: { executionTimeout: 15 },
	});
	const prompts = Array.from({ length: 40 }, (_, index) => `${path} no. ${index + 10}`);
	prompts.forEach((prompt, index) => {
		fixture.sandbox.arm({ fault: 'delay-after', delayMs: 1000 + index * 400, when: prompt });
	});
	const canceled = await fixture.api.run(flow.id, async () => await flow.call(prompts));
	return { prompts, canceled, next: await flow.run(prompts) };
}

function firstJob(fixture: Fixture, prompt: string): string {
	return fixture.charged(prompt)[0]?.jobId ?? '';
}

/** Ids of the jobs that an execution has logged as bought. */
async function paidBy({ n8n }: Fixture, { id }: Execution): Promise<Set<string>> {
	const log = await readFile(n8n.log, 'utf8');
	const lines = log.split('\n').filter((line) => line.includes(`(execution ${id}): `));
	const ids = lines.map((line) => /was bought: \S+ \(job ([^)]+)\)/.exec(line)?.[1]);
	return new Set(ids.filter((job) => job !== undefined));
}
