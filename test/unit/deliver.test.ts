import { isFree, jobsOf } from '../../nodes/ImageGeneration/buy/deliver';
import { notStarted } from '../../nodes/ImageGeneration/buy/runCapped';
import type { JobRequest } from '../../nodes/ImageGeneration/types';

const JOB = { id: 'now', output_url: 'https://example.com/now.jpg' };
const EARLIER = { value: { id: 'before', output_url: 'https://example.com/before.jpg' } };
const REQUEST: JobRequest = { model: 'text2img', fields: { text: 'A fox' } };
const plan = { value: { request: REQUEST } };
const bad = { failure: 'No prompt' };
const failed = { failure: new Error('Failed now') };

/** Knows a job of these items, for that request. */
const knowing = (...settled: number[]) => ({
	find: (index: number, request: JobRequest) =>
		settled.includes(index) && request === REQUEST ? EARLIER : undefined,
});

describe('an item without the Request Interval in front of it', () => {
	it('is one that can’t be sent, or was never there', () => {
		expect(isFree({ earlier: knowing() }, bad, 0)).toBe(true);
		expect(isFree({ earlier: knowing() }, undefined, 0)).toBe(true);
	});

	it('is one that an earlier try has settled, and no other', () => {
		expect(isFree({ earlier: knowing(1) }, plan, 1)).toBe(true);
		expect(isFree({ earlier: knowing(1) }, plan, 0)).toBe(false);
	});
});

describe('the job of an item', () => {
	it('is that of this try, as it ended', () => {
		const delivered = { value: { job: JOB } };

		expect(jobsOf([delivered, failed], [plan, plan], knowing(0, 1))).toEqual([
			{ value: JOB },
			failed,
		]);
	});

	it('is that of an earlier try where it was not started now', () => {
		expect(jobsOf([notStarted], [plan], knowing(0))).toEqual([EARLIER]);
		expect(jobsOf([notStarted], [plan], knowing())).toEqual([notStarted]);
	});

	it('is none where the item can’t be sent, or was not even checked', () => {
		expect(jobsOf([notStarted, notStarted], [bad], knowing(0, 1))).toEqual([
			notStarted,
			notStarted,
		]);
	});
});
