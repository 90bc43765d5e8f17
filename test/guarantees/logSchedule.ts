import fc from 'fast-check';

import type { ValueOf } from '../support/fuzz';

/** A time in one of so many cases, else undefined. */
const rarely = (cases: number) =>
	fc.oneof(
		{ weight: cases - 1, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
	);

const execution = fc.record({
	process: fc.integer({ min: 0, max: 3 }),
	at: fc.integer({ min: 0, max: 90_000 }),
	/** A new execution, or Retry of one that failed or crashed. */
	kind: fc.constantFrom('new', 'new', 'retry'),
	/** Which earlier execution `retry` refers to. */
	of: fc.nat(7),
	/** Whether n8n stores the execution if it ends well, and if it doesn't. */
	savesSuccess: fc.constantFrom(true, true, false),
	savesFailure: fc.constantFrom(true, true, false),
	/** Save execution progress: n8n stores each node's output at once. */
	savesProgress: fc.constantFrom(false, false, false, true),
	/** Somebody deletes the execution so long after it has ended. */
	deletedAfter: rarely(6),
	/** The requests, by number; equal numbers are equal requests. */
	requests: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 12 }),
	concurrency: fc.integer({ min: 1, max: 3 }),
	reuse: fc.constantFrom('never', 'never', 'always'),
	/** Pressed so long after it began. */
	stopAfter: rarely(4),
	/** The workflow's timeout, after which no call of its tables works either. */
	timeoutAfter: rarely(6),
	/** How many attempts of the node fail at their end, as with a bad last item. */
	failing: fc.constantFrom(0, 1, 2),
	/** How often n8n tries a run that fails. */
	tries: fc.constantFrom(1, 1, 2),
	/** How often a caller tries this as a sub-workflow; 0 if no other workflow calls it. */
	callerTries: fc.constantFrom(0, 0, 0, 1, 2),
	/** How often a loop of the workflow runs the node; each round is a run of its own. */
	rounds: fc.constantFrom(1, 1, 2, 3),
	/** How long the node stores its images in the end. */
	stores: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
	/** How long a later node runs after each run of the node. */
	later: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000 })),
	/** Whether the later node fails in the end. */
	laterFails: fc.constantFrom(false, false, false, true),
	/** Whether it waited for a person before, so that n8n has stored what came until then. */
	waits: fc.boolean(),
});
export type ExecutionPlan = ValueOf<typeof execution>;

/** The columns that people edit. Which request a row is of, nobody can tell without them. */
const EDITED = [
	'time',
	'image',
	'link',
	'state',
	'execution',
	'parent',
	'node',
	'run',
	'entry',
	'result',
	'request',
] as const;

const event = { process: fc.nat(3), afterEvents: fc.integer({ min: 0, max: 400 }) };

/** One random schedule. Times are in milliseconds. */
export const schedule = fc.record({
	seed: fc.integer(),
	/** How far each process's clock is off, and how fast it runs. */
	clocks: fc.array(
		fc.record({
			offset: fc.integer({ min: -1e8, max: 1e8 }),
			speed: fc.constantFrom(0.98, 1, 1.02),
		}),
		{ minLength: 1, maxLength: 4 },
	),
	executions: fc.array(execution, { minLength: 2, maxLength: 8 }),
	/** Kills a process after so many events of the simulation, and starts it again. */
	kills: fc.array(fc.record(event), { maxLength: 4 }),
	/** Freezes a process, as a pause of its machine does. */
	freezes: fc.array(fc.record({ ...event, ms: fc.integer({ min: 0, max: 25_000 }) }), {
		maxLength: 2,
		size: '-1',
	}),
	/** Share of the paid requests that are refused or get no answer, as many of each. */
	mishaps: fc.constantFrom(0, 0.2, 0.2),
	/** Share of the table's calls that report a failure, half of them after the change was made. */
	failures: fc.constantFrom(0, 0, 0.1, 0.3),
	/** Whether n8n notices as it starts that an execution was killed. */
	notices: fc.constantFrom(true, true, false),
	/** What somebody does to a row of the table, after so many events. */
	edits: fc.array(
		fc.record({
			afterEvents: fc.integer({ min: 0, max: 400 }),
			row: fc.nat(30),
			column: fc.constantFrom(...EDITED),
			how: fc.constantFrom('clear', 'number', 'nonsense', 'delete'),
		}),
		{ maxLength: 3, size: '-1' },
	),
	/** Longest time that a call of the table takes to arrive, and its answer to return. */
	latency: fc.constantFrom(5, 50, 400),
});
export type Schedule = ValueOf<typeof schedule>;

/** Asks for nothing. */
export const QUIET: ExecutionPlan = {
	process: 0,
	at: 0,
	kind: 'new',
	of: 0,
	requests: [],
	concurrency: 1,
	reuse: 'never',
	stopAfter: undefined,
	timeoutAfter: undefined,
	failing: 0,
	tries: 1,
	callerTries: 0,
	stores: 0,
	rounds: 1,
	later: 0,
	laterFails: false,
	savesProgress: false,
	deletedAfter: undefined,
	waits: false,
	savesSuccess: true,
	savesFailure: true,
};
