import type { Limit } from '../job.mjs';
import type { Lab } from '../Lab.mjs';
import { measureRounds } from '../measureRounds.mjs';
import { goal, type Effort, type Part } from '../part.mjs';
import { startService } from '../startService.mjs';
import { formatSummary, summarize } from '../summary.mjs';

const ITEMS = 60;
const EXECUTIONS = 5;
const LIMITS = [
	{ calls: 10, seconds: 1 },
	{ calls: 10, seconds: 6 },
];

interface Setup {
	limit: Limit;
	/** Items processed at once in each execution. */
	concurrency: number;
	executions: number;
}

/** Measures how well the node finds the rate of a service with a rate limit. */
export async function limited(lab: Lab, { few, quick }: Effort): Promise<Part> {
	const service = await startService(0);
	const images = await lab.images(1000, ITEMS);
	const caseOf = ({ limit, concurrency, executions }: Setup) => ({
		name: nameOf({ limit, concurrency, executions }),
		limit,
		concurrency,
		executions,
		ideal: ((ITEMS - limit.calls) * limit.seconds) / limit.calls,
		measure: async () =>
			await lab.measure({
				contender: 'node',
				service: service.url,
				images,
				items: ITEMS / executions,
				executions,
				together: executions > 1,
				concurrency,
				limit,
				warmUp: { images, items: 2 * concurrency },
				memory: 'none',
			}),
	});
	const cases = (quick ? LIMITS.slice(0, 1) : LIMITS).flatMap((limit) =>
		[true, false].flatMap((retryAfter) => [
			...[5, 25, 100].map((concurrency) =>
				caseOf({ limit: { ...limit, retryAfter }, concurrency, executions: 1 }),
			),
			caseOf({ limit: { ...limit, retryAfter }, concurrency: 5, executions: EXECUTIONS }),
		]),
	);
	const measured = await measureRounds(cases, few);
	await service.stop();

	type Case = (typeof cases)[number];
	const timeOf = (one: Case, divisor = 1) =>
		summarize((measured.get(one) ?? []).map(({ wall }) => wall / 1000 / divisor));
	const refusedOf = (one: Case) =>
		summarize((measured.get(one) ?? []).map(({ refused }) => refused));
	const burst = ({ concurrency, executions }: Case) => Math.min(ITEMS, concurrency * executions);
	const mostRefused = (one: Case) => burst(one) + ITEMS / 10;
	return {
		title: '(f) A service that limits calls',
		about:
			`${ITEMS} images of 1 kB against a token bucket. A limit of 10 in 1 s allows 10 requests at ` +
			'once, then one more every 0.1 s. A request above the limit gets 429, with or without ' +
			'Retry-After in whole seconds. Ideal is the time in which the bucket lets all requests ' +
			'through. The five executions share the images and the limit. Every run delivered all ' +
			`${ITEMS} images; a missing one would end the benchmark.`,
		head: ['Limit', 'Retry-After', 'At once', 'Seconds', '÷ ideal', 'Refused', 'Refused (max)'],
		rows: cases.map((one) => [
			limitName(one.limit),
			one.limit.retryAfter ? 'yes' : 'no',
			one.executions > 1
				? `${one.executions} executions, ${one.concurrency} each`
				: `${one.concurrency}`,
			formatSummary(timeOf(one), 2),
			formatSummary(timeOf(one, one.ideal), 2),
			formatSummary(refusedOf(one), 0),
			String(mostRefused(one)),
		]),
		goals: cases.flatMap((one) => [
			goal(
				`${one.name}: ÷ ideal at most ${one.executions > 1 ? '1.5' : '1.25'}`,
				timeOf(one, one.ideal),
				one.executions > 1 ? 1.5 : 1.25,
			),
			...(one.executions > 1
				? []
				: [
						goal(
							`${one.name}: refused at most ${mostRefused(one)}`,
							refusedOf(one),
							mostRefused(one),
							0,
						),
					]),
		]),
		chart: {
			title: `${ITEMS} images against a rate limit, time ÷ ideal`,
			unit: '',
			digits: 2,
			bars: cases.map((one) => ({
				name: one.name,
				value: timeOf(one, one.ideal).median,
				isOurs: true,
			})),
		},
	};
}

function nameOf({ limit, concurrency, executions }: Setup): string {
	const who = executions > 1 ? `${executions} executions` : `${concurrency} at once`;
	return `${limitName(limit)}, ${who}${limit.retryAfter ? ', Retry-After' : ''}`;
}

function limitName({ calls, seconds }: Limit): string {
	return `${calls} in ${seconds} s`;
}
