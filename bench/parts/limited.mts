import type { StartPart } from '../part.mjs';
import { startService } from '../startService.mjs';

const ITEMS = 60;
const CALLS = 10;
/** How many more requests than the first ones at once may be refused. */
const MOST_REFUSED = ITEMS / 10;

const SETUPS = [
	{ seconds: 1, concurrency: 5, executions: 1 },
	{ seconds: 1, concurrency: 25, executions: 1 },
	{ seconds: 1, concurrency: 100, executions: 1 },
	{ seconds: 1, concurrency: 5, executions: 5 },
	{ seconds: 6, concurrency: 25, executions: 1 },
].flatMap((setup) => [
	{ ...setup, retryAfter: true },
	{ ...setup, retryAfter: false },
]);

/** How well the node finds the rate of a service with a rate limit. */
export const limited: StartPart = async (lab) => {
	const service = await startService(0);
	const images = await lab.images(1000, ITEMS);
	const cases = SETUPS.map(({ seconds, concurrency, executions, retryAfter }) => {
		const each = executions > 1 ? `${executions} executions of ` : '';
		return {
			name: `${CALLS} in ${seconds} s, ${each}${concurrency} at once${retryAfter ? ', Retry-After' : ''}`,
			isOurs: true,
			mostTime: executions > 1 ? 1.5 : 1.25,
			mostRefused: Math.min(ITEMS, concurrency * executions) + MOST_REFUSED,
			measure: async (build: string) => {
				const { wall, refused } = await lab.measure({
					contender: 'node',
					package: build,
					service: service.url,
					images,
					items: ITEMS / executions,
					executions,
					together: executions > 1,
					concurrency,
					limit: { calls: CALLS, seconds, retryAfter },
					warmUp: { images, items: 2 * concurrency },
				});
				const ideal = ((ITEMS - CALLS) * seconds) / CALLS;
				return [wall / 1000, wall / 1000 / ideal, refused];
			},
		};
	});
	return {
		title: '(f) A service that limits calls',
		about:
			`${ITEMS} images of 1 kB against a token bucket. A limit of 10 in 1 s allows 10 requests at ` +
			'once, then one more every 0.1 s. A request above the limit gets 429, with or without ' +
			'Retry-After in whole seconds. Ideal is the time in which the bucket lets all requests ' +
			'through. Executions at the same time share the images and the limit.',
		head: '',
		figures: [
			{ name: 'Seconds', digits: 2 },
			{ name: '÷ ideal', digits: 2 },
			{ name: 'Refused', digits: 0 },
		],
		cases,
		goals: cases.flatMap((of) => [
			{ of, figure: 1, max: of.mostTime },
			{ of, figure: 2, max: of.mostRefused },
		]),
		end: service.stop,
	};
};
