import { jobsOf } from '../../nodes/ImageGeneration/deliver';
import type { EarlierTries } from '../../nodes/ImageGeneration/execution/earlierTries';
import type { Outcome } from '../../nodes/ImageGeneration/execution/outcome';
import { notStarted } from '../../nodes/ImageGeneration/execution/runCapped';
import type { Plan } from '../../nodes/ImageGeneration/plan';

const JOB = { id: 'now', output_url: 'https://example.com/now.jpg' };
const EARLIER = { value: { id: 'before', output_url: 'https://example.com/before.jpg' } };
const plan = { value: { request: {} } } as unknown as Outcome<Plan>;
const failed = { failure: new Error('Failed now') };
/** Knows a job of every item. */
const all = { find: () => EARLIER } as unknown as EarlierTries;
const none = { find: () => undefined } as unknown as EarlierTries;

describe('the job of an item', () => {
	it('is that of this try, as it ended', () => {
		const delivered = { value: { job: JOB, image: undefined, plan: {} as Plan } };

		expect(jobsOf([delivered, failed], [plan, plan], all)).toEqual([{ value: JOB }, failed]);
	});

	it('is that of an earlier try where it was not started now', () => {
		expect(jobsOf([notStarted], [plan], all)).toEqual([EARLIER]);
		expect(jobsOf([notStarted], [plan], none)).toEqual([notStarted]);
	});

	it('is none where the item can’t be sent, or was not even checked', () => {
		expect(jobsOf([notStarted, notStarted], [{ failure: 'Bad' }], all)).toEqual([
			notStarted,
			notStarted,
		]);
	});
});
