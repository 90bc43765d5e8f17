import type { IExecuteFunctions } from 'n8n-workflow';

import { buyJob, type Buying } from '../../nodes/ImageGeneration/buy/buyJob';
import { purchaseLimit } from '../../nodes/ImageGeneration/buy/purchaseLimit';
import { joinRateLimiters } from '../../nodes/ImageGeneration/buy/rateLimiter';
import { settle } from '../../nodes/ImageGeneration/failures/outcome';
import { toService } from '../../nodes/ImageGeneration/service/service';
import { jobWith } from '../support/jobs';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

/** A run that sends one request every ten seconds, and writes down what it does. */
function slowRun(writeSent = async () => await Promise.resolve()) {
	const events: string[] = [];
	const limiters = joinRateLimiters(expect.getState().currentTestName ?? '', {}, 10_000, () => {});
	const context = {
		getExecutionCancelSignal: () => undefined,
		getCredentials: async () => await Promise.reject(new Error('No request in this test')),
		helpers: {
			httpRequestWithAuthentication: async () => {
				events.push('request');
				return await Promise.reject(new Error('connect ECONNREFUSED'));
			},
		},
	} as unknown as IExecuteFunctions;
	const run = {
		context,
		service: toService({ baseUrl: 'https://example.com', apiKey: 'a-key' }),
		limit: purchaseLimit({}, undefined),
		limiters,
		purchases: {
			send: async () => {
				events.push('recorded');
				await writeSent();
				return {
					bought: async () => await Promise.resolve(),
					notCharged: async () => {
						await Promise.resolve(events.push('not charged'));
					},
				};
			},
		},
		log: { tally: { unusual: [] }, purchase: () => {}, retry: () => {} },
	} as unknown as Buying;
	const job = jobWith({ options: { ...jobWith().options, maxRetries: 0 } });
	const end = new AbortController();
	return { events, end, buy: async () => await settle(buyJob(run, job, end.signal)) };
}

describe('a paid request', () => {
	it('is recorded right before it goes out, not while it waits for its turn', async () => {
		const { events, buy } = slowRun();
		const jobs = [buy(), buy()];
		await jest.advanceTimersByTimeAsync(9999);
		expect(events).toEqual(['recorded', 'request', 'not charged']);

		await jest.advanceTimersByTimeAsync(1);
		await Promise.all(jobs);
		expect(events.slice(3)).toEqual(['recorded', 'request', 'not charged']);
	});

	it('is not sent if the run ends while it is recorded', async () => {
		const { events, end, buy } = slowRun(async () => {
			end.abort();
			await Promise.resolve();
		});

		expect(await buy()).toEqual({ failure: { kind: 'not started' } });
		expect(events).toEqual(['recorded', 'not charged']);
	});
});
