import './simulation/virtualTime';

import fc from 'fast-check';

import { fuzz, SEED } from '../support/fuzz';
import { findingsOf } from './simulation/promises';
import { randomSchedule } from './simulation/randomSchedule';
import { World } from './simulation/world';

/** About a minute on two idle cores. */
const RUNS = 1000;
/** No test runner knows how many somebody asks for. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** How often each limit was met that the documentation names. */
const limits = new Map<string, number>();

afterAll(() => {
	const byCount = [...limits].sort(([, a], [, b]) => b - a);
	const lines = byCount.map(([limit, count]) => `${String(count).padStart(8)}  ${limit}\n`);
	process.stdout.write(`What nothing that n8n tells prevents:\n${lines.join('')}`);
});

it(
	`keeps what it promises about money in random schedules (seed ${SEED})`,
	async () => {
		const settings = fuzz(RUNS);
		const property = fc.asyncProperty(randomSchedule, async (schedule) => {
			const world = new World(schedule);
			await world.play();
			const found = findingsOf(world);
			for (const limit of found.limits) limits.set(limit, (limits.get(limit) ?? 0) + 1);
			const isKept = found.violations.length === 0;
			expect(isKept ? [] : [...found.violations, ...world.trace]).toStrictEqual([]);
		});
		// Shrinking takes minutes, so only the repetition of a case does it.
		await fc.assert(property, { ...settings, endOnFailure: !('path' in settings) });
	},
	NO_TIMEOUT,
);
