import { buyAll, purchasesOf } from '../../nodes/ImageGeneration/buy/buyAll';
import { notStarted } from '../../nodes/ImageGeneration/buy/runCapped';
import { newTally } from '../../nodes/ImageGeneration/buy/tally';
import { BadInput } from '../../nodes/ImageGeneration/failures/failures';
import type { Run } from '../../nodes/ImageGeneration/run';
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
