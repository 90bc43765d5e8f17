import fc from 'fast-check';

import { HOUR, MINUTE, PLAIN, SECOND, type Schedule } from './plan';

/** A value in one of so many cases, else undefined. */
function rarely<T>(cases: number, arbitrary: fc.Arbitrary<T>) {
	return fc.oneof(
		{ weight: cases - 1, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary },
	);
}

const between = (min: number, max: number) => fc.integer({ min, max });

/** True in one of so many cases. */
const isRarely = (cases: number) =>
	fc.oneof(
		{ weight: cases - 1, arbitrary: fc.constant(false) },
		{ weight: 1, arbitrary: fc.constant(true) },
	);

const execution = fc
	.record({
		at: fc.oneof(between(0, 2 * MINUTE), between(0, 2 * MINUTE), between(0, 3 * HOUR)),
		process: between(0, 2),
		asks: fc.array(fc.constantFrom('a', 'a', 'b', 'c'), { minLength: 1, maxLength: 4 }),
		isCutOut: isRarely(5),
		concurrency: fc.constantFrom(1, 2, 5),
		tries: fc.constantFrom(1, 1, 1, 3),
		continues: isRarely(6),
		rounds: fc.constantFrom(1, 1, 1, 1, 2, 3),
		later: fc.oneof(between(0, 30 * SECOND), between(0, 30 * SECOND), between(0, 4 * HOUR)),
		laterFails: rarely(4, between(0, 2)),
		pause: rarely(10, between(MINUTE, 5 * HOUR)),
		resumesAt: between(0, 2),
		stopAfter: rarely(4, between(0, 20 * SECOND)),
		limit: rarely(6, between(SECOND, 2 * MINUTE)),
		again: rarely(2, between(0, 3 * MINUTE)),
		retryAfter: rarely(3, between(SECOND, 20 * MINUTE)),
		reuse: rarely(8, fc.constant('always' as const)),
		isManual: isRarely(8),
		callerTries: fc.constantFrom(0, 0, 0, 0, 0, 1, 3),
		isNested: isRarely(5),
		isDetached: isRarely(6),
		subFails: isRarely(3),
		savesProgress: isRarely(10),
		deletedAfter: rarely(20, between(0, 5 * MINUTE)),
		timeout: fc.constantFrom(600, 600, 30),
		node: fc.constantFrom('n', 'n', 'n', 'm'),
	})
	.map((drawn) => {
		const isCalled = drawn.callerTries > 0;
		const isStopped = drawn.stopAfter !== undefined || drawn.limit !== undefined;
		return {
			...PLAIN,
			...drawn,
			isManual: drawn.isManual && !isCalled,
			pause: isCalled ? undefined : drawn.pause,
			isDetached: drawn.isDetached && isCalled,
			isNested: drawn.isNested && isCalled && !drawn.isDetached,
			again: isStopped ? drawn.again : undefined,
		};
	});

/** What n8n stores of all executions of the workflows. */
const saving = fc.oneof(
	{ weight: 3, arbitrary: fc.constant({ savesWell: true, savesFailed: true }) },
	{ weight: 1, arbitrary: fc.record({ savesWell: fc.boolean(), savesFailed: fc.boolean() }) },
);

const interval = fc
	.record({ from: between(0, 4 * MINUTE), ms: between(SECOND, 20 * SECOND) })
	.map(({ from, ms }) => ({ from, to: from + ms }));

/** One random schedule. */
export const randomSchedule: fc.Arbitrary<Schedule> = fc
	.record({
		seed: fc.integer(),
		hasLog: fc.boolean(),
		clocks: fc.array(fc.constantFrom(0, 0, 0, -10 * MINUTE, 10 * MINUTE), {
			minLength: 1,
			maxLength: 3,
		}),
		executions: fc.array(execution, { minLength: 1, maxLength: 6 }),
		saving,
		dayLimit: rarely(6, between(1, 4)),
		kills: fc.array(
			fc.record({
				at: fc.oneof(between(0, 2 * MINUTE), between(0, 3 * HOUR)),
				process: between(0, 2),
				notice: fc.constantFrom('restart' as const, 'queue' as const, 'never' as const),
			}),
			{ maxLength: 2, size: '-1' },
		),
		freezes: fc.array(
			fc.record({
				at: between(0, 2 * MINUTE),
				process: between(0, 2),
				ms: between(SECOND, 2 * MINUTE),
			}),
			{ maxLength: 1, size: '-1' },
		),
		outages: fc.array(interval, { maxLength: 1, size: '-1' }),
		full: fc.array(interval, { maxLength: 1, size: '-1' }),
		table: fc.record({
			latency: fc.constantFrom(50, 200, 800),
			failures: fc.constantFrom(0, 0, 0.05, 0.2),
			late: fc.constantFrom(0, 0, 0.03),
		}),
		service: fc.record({
			script: fc.constant([]),
			slowest: fc.constantFrom(3 * SECOND, 8 * SECOND, 30 * SECOND, 4 * MINUTE),
			mishaps: fc.constantFrom(0, 0, 0.15, 0.3),
			hangs: fc.constantFrom(0, 0, 0, 0.1),
			upload: fc.constantFrom(0, 0, 5 * SECOND),
		}),
	})
	.map(({ saving: saved, dayLimit, executions, ...drawn }) => ({
		...drawn,
		executions: executions.map((each) => ({ ...each, ...saved, dayLimit })),
	}));
