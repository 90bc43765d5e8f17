import type { IContextObject } from 'n8n-workflow';

import {
	ExecutionMemory,
	RememberedJobs,
} from '../../nodes/ImageGeneration/recall/executionMemory';
import type { Job } from '../../nodes/ImageGeneration/types';
import { FOX, jobFor, OWL, resultOf, shown } from '../support/jobs';

/** The node's data in an execution, and the memories of its runs. */
function executionWith(store: { finishedJobs?: unknown } = {}) {
	const jobs = new RememberedJobs(store as IContextObject);
	return {
		store,
		begin: (name = '0', hasAttempts = true) => new ExecutionMemory(jobs, name, hasAttempts),
		/** The same after n8n stored the execution. */
		retried: () => executionWith(JSON.parse(JSON.stringify(store)) as object),
	};
}

/** What an attempt has of a job. */
const assigned = (memory: ExecutionMemory, job: Job) => {
	memory.assign([job]);
	return memory.get(job);
};
const recalled = (memory: ExecutionMemory, ...jobs: Job[]) =>
	jobs.map((job) => shown(assigned(memory, job)?.outcome));
const buy = (memory: ExecutionMemory, job: Job, id: string) => {
	memory.add(job, { value: resultOf(id) }, { entry: `entry of ${id}` });
};

describe('what an attempt bought', () => {
	it('is known to the next one, and to Retry after n8n stored the execution, but to no other execution', () => {
		const execution = executionWith();
		const first = execution.begin();
		buy(first, OWL, 'owl');
		first.end(false);
		expect(execution.store).toStrictEqual({
			finishedJobs: [['0.Owl', resultOf('owl'), 'entry of owl']],
		});

		const known = { outcome: { value: resultOf('owl') }, entry: 'entry of owl' };
		const retry = execution.retried().begin();
		expect(assigned(retry, OWL)).toMatchObject({ ...known, from: 'Retry' });
		expect(assigned(retry, FOX)).toBeUndefined();
		expect(assigned(execution.begin(), OWL)).toMatchObject({ ...known, from: 'this execution' });
		expect(assigned(executionWith().begin(), OWL)).toBeUndefined();
	});

	it('is told apart from what it took over, which the next one may buy again if it is gone', () => {
		const execution = executionWith();
		const first = execution.begin();
		buy(first, OWL, 'owl');
		first.add(FOX, { value: resultOf('fox') }, { entry: 'of an earlier run' }, 'earlier run');
		first.end(false);

		const second = execution.begin();
		const origins = [OWL, FOX].map((job) => assigned(second, job)?.from);
		expect(origins).toStrictEqual(['this execution', 'earlier run']);
	});

	it('is kept with its image for a further attempt, and without it if none follows by itself', () => {
		for (const hasAttempts of [true, false]) {
			const image = { data: '', mimeType: 'image/png' };
			const run = executionWith().begin('0', hasAttempts);
			buy(run, OWL, 'owl');
			run.addImage(OWL, image);

			expect(recalled(run, OWL, FOX)).toStrictEqual(['owl', undefined]);
			expect(run.imageOf(OWL)).toStrictEqual(hasAttempts ? image : undefined);
		}
	});

	it('is known by any of its keys, the first one first', () => {
		const execution = executionWith();
		const first = execution.begin();
		buy(first, jobFor('', { keys: ['0.a?1', '0.a'] }), 'one');
		buy(first, jobFor('', { keys: ['0.a?2'] }), 'two');
		first.end(false);
		const wanted = [['0.a?2', '0.a'], ['0.a?3', '0.a'], ['0.a?4']];
		const jobs = wanted.map((keys) => jobFor('', { keys }));

		const expected = ['two', 'one', undefined];
		expect(recalled(execution.retried().begin(), ...jobs)).toStrictEqual(expected);
		expect(recalled(execution.begin(), ...jobs)).toStrictEqual(expected);
	});

	it('is given to one of two equal jobs, also if runs of an agent’s tool overlap', () => {
		const execution = executionWith();
		const first = execution.begin();
		buy(first, OWL, 'owl');
		first.end(false);

		expect(recalled(execution.begin(), OWL, jobFor('Owl'))).toStrictEqual(['owl', undefined]);
		expect(recalled(execution.begin(), OWL)).toStrictEqual([undefined]);
	});

	it.each([true, false])(
		'includes a failure that may have been charged, if only Retry On Fail starts the next one: %s',
		(hasAttempts) => {
			const execution = executionWith();
			const first = execution.begin('0', hasAttempts);
			first.add(
				OWL,
				{ failure: { kind: 'interrupted', message: 'Cut off' } },
				{ entry: 'unclear' },
			);
			first.end(false);

			expect(execution.store).toStrictEqual({});
			expect(recalled(execution.begin(), OWL)).toStrictEqual([hasAttempts ? 'Cut off' : undefined]);
		},
	);

	it('is forgotten once n8n has the output, and other runs keep theirs', () => {
		const execution = executionWith();
		const [first, second] = [execution.begin(), execution.begin()];
		buy(first, OWL, 'owl');
		buy(second, OWL, 'other');
		first.end(true);
		second.end(false);
		const retried = execution.retried();
		expect(recalled(execution.begin(), OWL, jobFor('Owl'))).toStrictEqual(['other', undefined]);

		const last = retried.begin();
		expect(recalled(last, OWL)).toStrictEqual(['other']);
		last.end(true);
		expect(last.isEmpty()).toBe(true);
		expect(retried.store).toStrictEqual({});
	});

	it('is forgotten if it is bought again, because the service no longer has it', () => {
		const execution = executionWith({ finishedJobs: [['0.Owl', resultOf('gone'), 'gone']] });
		const retry = execution.begin();
		retry.assign([OWL]);
		retry.forget(OWL);
		expect(execution.store).toStrictEqual({});

		buy(retry, OWL, 'new');
		retry.end(false);
		expect(recalled(execution.begin(), OWL)).toStrictEqual(['new']);
	});

	it('is told if later ones do not ask for it, until n8n has the output of one', () => {
		const execution = executionWith();
		const first = execution.begin();
		buy(first, OWL, 'owl');
		buy(first, FOX, 'fox');
		buy(first, jobFor('Owl', { keys: ['1.Owl'] }), 'of another run');
		first.end(false);
		const second = execution.begin();
		second.assign([FOX]);

		expect(second.surplus()).toStrictEqual([resultOf('owl')]);
		second.end(false);
		const third = execution.begin();
		third.assign([FOX]);
		expect(third.surplus()).toStrictEqual([resultOf('owl')]);
		third.end(true);
		expect(execution.store.finishedJobs).toStrictEqual([
			['1.Owl', resultOf('of another run'), 'entry of of another run'],
		]);
	});

	it('is kept by its id and link if it is very long', () => {
		const run = executionWith().begin();
		const base = { ...resultOf('long'), note: '' };
		const note = 'x'.repeat(10_000 - JSON.stringify(base).length);
		const longer = { ...base, output_url: `${base.output_url}2`, note };
		const results = [{ ...base, note }, longer, { ...resultOf('bear'), id: [note, note] }];
		const bought = results.map((value, index) => ({ job: jobFor(String(index)), value }));
		for (const { job, value } of bought) run.add(job, { value }, { entry: 'long' });

		expect(bought.map(({ job }) => run.get(job)?.outcome)).toStrictEqual([
			{ value: results[0] },
			{ value: { id: 'long', output_url: longer.output_url } },
			{ value: { output_url: 'https://example.com/bear' } },
		]);
	});
});
