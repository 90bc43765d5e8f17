import {
	buyAll,
	finishedJobs,
	limitFailure,
	purchasesOf,
	type LimitedRun,
} from '../../nodes/ImageGeneration/buy/buyAll';
import type { EarlierPurchase } from '../../nodes/ImageGeneration/buy/earlierRuns';
import { purchaseLimit } from '../../nodes/ImageGeneration/buy/purchaseLimit';
import { notStarted } from '../../nodes/ImageGeneration/buy/runCapped';
import { newTally } from '../../nodes/ImageGeneration/buy/tally';
import { BadInput } from '../../nodes/ImageGeneration/failures/failures';
import type { Run } from '../../nodes/ImageGeneration/run';
import type { Job } from '../../nodes/ImageGeneration/types';
import { invalidJob, jobWith } from '../support/jobs';

const RESULT = { id: 'now', output_url: 'https://example.com/now.jpg' };
const EARLIER = { value: { id: 'before', output_url: 'https://example.com/before.jpg' } };
const failed = { failure: new Error('Failed now') };

const job = (itemIndex: number) =>
	jobWith({ itemIndex, key: `key ${itemIndex}`, outputField: undefined });
const invalid = (itemIndex: number) =>
	invalidJob(new BadInput(`No prompt ${itemIndex}`), { itemIndex });

/** A ledger that knows the jobs of these items. */
const knowing = (...known: number[]) => ({
	find: ({ key }: { key: string }) =>
		known.some((itemIndex) => key === `key ${itemIndex}`) ? EARLIER : undefined,
});

describe('buyAll', () => {
	it('sends no request for invalid jobs or those an earlier attempt bought', async () => {
		const run = {
			ledger: knowing(0, 2, 3),
			tally: newTally(),
			concurrency: 1,
			continuesOnFail: true,
			signal: undefined,
		} as unknown as Run;
		const outcomes = await buyAll(run, [job(0), invalid(1), job(2), job(3)]);

		expect(outcomes).toEqual([
			{ value: { result: EARLIER.value, image: undefined } },
			{ failure: new BadInput('No prompt 1') },
			{ value: { result: EARLIER.value, image: undefined } },
			{ value: { result: EARLIER.value, image: undefined } },
		]);
	});
});

describe('a purchase', () => {
	it('is this attempt’s outcome', () => {
		const delivered = { value: { result: RESULT } };
		const jobs = [job(0), job(1)];

		expect(purchasesOf({ ledger: knowing(0, 1) }, jobs, [delivered, failed])).toEqual([
			{ job: jobs[0], outcome: { value: RESULT } },
			{ job: jobs[1], outcome: failed },
		]);
	});

	it('is an earlier attempt’s outcome if the job was not started', () => {
		const outcomes = (known: number[]) =>
			purchasesOf({ ledger: knowing(...known) }, [job(0)], [notStarted]).map(
				({ outcome }) => outcome,
			);

		expect(outcomes([0])).toEqual([EARLIER]);
		expect(outcomes([])).toEqual([notStarted]);
	});

	it('is known before anything is bought', () => {
		expect(
			purchasesOf({ ledger: knowing(1) }, [job(0), job(1)]).map(({ outcome }) => outcome),
		).toEqual([notStarted, EARLIER]);
	});

	it('is the failure that makes the job invalid', () => {
		const [purchase] = purchasesOf({ ledger: knowing(0) }, [invalid(0)], [notStarted]);

		expect(purchase?.outcome).toEqual({ failure: new BadInput('No prompt 0') });
	});
});

describe('the finished jobs', () => {
	it('are those with a result, not the invalid and unclear ones', () => {
		const outcomes = [EARLIER, failed, undefined, EARLIER];
		// Answers for invalid jobs as well, which must not be asked about.
		const ledger = { find: () => outcomes.shift() };
		const jobs = [invalid(9), job(0), job(1), job(2), job(3)];

		expect(finishedJobs({ ledger }, jobs)).toEqual([
			{ job: jobs[1], result: EARLIER.value },
			{ job: jobs[4], result: EARLIER.value },
		]);
	});
});

describe('Max Images', () => {
	const jobs = [job(0), invalid(1), job(2), job(3)];

	/** Which jobs exceed the limit, and which ones were looked up among earlier purchases. */
	async function limited(
		max: number,
		{ known = [], earlier, reuse = false }: LimitInput = {},
	): Promise<{ failure: unknown; lookedUp: number[] }> {
		const lookedUp: number[] = [];
		const peek = async ({ itemIndex }: Job) => {
			lookedUp.push(itemIndex);
			return await Promise.resolve(earlier?.(itemIndex));
		};
		const run: LimitedRun = {
			ledger: knowing(...known),
			limit: purchaseLimit({}, max),
			earlierRuns: earlier && { peek },
			reuseInManualRuns: reuse,
		};
		return { failure: await limitFailure(run, jobs), lookedUp };
	}
	interface LimitInput {
		/** Items whose job an earlier attempt bought. */
		known?: number[];
		earlier?: (itemIndex: number) => EarlierPurchase | undefined;
		reuse?: boolean;
	}
	const bought = (wasStopped: boolean): EarlierPurchase => ({ result: RESULT, wasStopped });

	it('counts the valid jobs that no attempt has bought yet', async () => {
		expect((await limited(3)).failure).toBeUndefined();
		expect((await limited(2)).failure).toMatchObject({ max: 2, needed: 3 });
		expect((await limited(2, { known: [2] })).failure).toBeUndefined();
	});

	it('does not look for earlier purchases while there is room', async () => {
		expect(await limited(3, { earlier: () => bought(true) })).toEqual({
			failure: undefined,
			lookedUp: [],
		});
	});

	it('does not count what a stopped run left, and looks every valid job up in order', async () => {
		const earlier = (itemIndex: number) => (itemIndex === 3 ? bought(true) : undefined);

		expect(await limited(2, { earlier })).toEqual({ failure: undefined, lookedUp: [0, 2, 3] });
		expect((await limited(1, { earlier })).failure).toMatchObject({ max: 1, needed: 2 });
	});

	it('does not count a job twice that an attempt bought and a stopped run left', async () => {
		const known = [0];
		const earlier = (itemIndex: number) => (itemIndex === 0 ? bought(true) : undefined);

		expect((await limited(1, { known, earlier })).failure).toMatchObject({ needed: 2 });
	});

	it('counts what an earlier manual run bought unless it is reused', async () => {
		const earlier = () => bought(false);

		expect((await limited(2, { earlier })).failure).toMatchObject({ needed: 3 });
		expect((await limited(2, { earlier, reuse: true })).failure).toBeUndefined();
	});
});
