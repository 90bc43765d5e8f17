import {
	LogSimulation,
	QUIET,
	type ExecutionPlan,
	type Schedule,
	type SimulatedRun,
} from '../guarantees/logSimulation';
import { logViolations } from '../guarantees/logViolations';

/** Named schedules of the simulation in test/guarantees, each for one promise. */
async function play(
	plans: Array<Partial<ExecutionPlan>>,
	killWhen?: (world: LogSimulation) => boolean,
	more: Partial<Schedule> = {},
): Promise<LogSimulation> {
	const world = new LogSimulation(
		{
			seed: 1,
			clocks: [
				{ offset: 0, speed: 1 },
				{ offset: 0, speed: 1 },
			],
			executions: plans.map((plan) => ({ ...QUIET, ...plan })),
			kills: [],
			freezes: [],
			mishaps: 0,
			failures: 0,
			movesExecutions: false,
			latency: 5,
			...more,
		},
		killWhen,
	);
	await world.run();
	expect(logViolations(world)).toStrictEqual([]);
	return world;
}

const AFTER = { at: 80_000, process: 1 };
/** The execution's later node runs when its process is killed. */
const LATER = { requests: [1, 2, 3], later: 60_000 };
const isInLaterNode = ({ runs }: LogSimulation) => runs.some(({ end }) => end === 'delivered');
const linksOf = (...runs: Array<SimulatedRun | undefined>) =>
	runs.flatMap((run) => run?.output.map(({ link }) => link) ?? []);
const sourcesOf = (run: SimulatedRun | undefined) => run?.output.map(({ from }) => from);
const runsIn = ({ runs }: LogSimulation, execution: string) =>
	runs.filter((run) => run.execution === execution);

describe('an execution that was killed while a later node ran', () => {
	it('leaves its images to Retry, which buys nothing again', async () => {
		const world = await play([LATER, { ...AFTER, kind: 'retry' }], isInLaterNode);
		const [first, retry] = world.runs;

		expect(world.charges.length).toBe(3);
		expect(sourcesOf(retry)).toStrictEqual(Array(3).fill('retried execution'));
		expect(linksOf(retry).sort()).toStrictEqual(linksOf(first).sort());
	});

	it('leaves them to one Retry only', async () => {
		const retry = { ...AFTER, kind: 'retry' } as const;
		const world = await play([LATER, retry, { ...retry, at: 85_000 }], isInLaterNode);

		expect(world.charges.length).toBe(6);
	});

	it('does not keep another run from buying its own, which says whose images they are', async () => {
		const world = await play([LATER, { ...AFTER, requests: [1, 2, 3] }], isInLaterNode);

		expect(world.charges.length).toBe(6);
		expect(world.runs[1]?.lostTrack).toStrictEqual(['x1', 'x1', 'x1']);
	});

	it('leaves them to Retry even if another run has bought its own meanwhile', async () => {
		const requests = [1, 2, 3];
		const between = { at: 70_000, process: 1, requests };
		const world = await play([LATER, between, { ...AFTER, kind: 'retry' }], isInLaterNode);
		const [first, , retry] = world.runs;

		expect(world.charges.length).toBe(6);
		expect(linksOf(retry).sort()).toStrictEqual(linksOf(first).sort());
	});

	it('costs nothing again with Reuse Images', async () => {
		const again: Partial<ExecutionPlan> = { ...AFTER, requests: [1, 2, 3], reuse: 'always' };
		const world = await play([LATER, again], isInLaterNode);

		expect(world.charges.length).toBe(3);
	});

	it('has its images taken by no run that begins as usual, even if two executions overlapped', async () => {
		const ended = { requests: [1, 2, 3] };
		const world = await play(
			[ended, { ...ended, at: 100 }, { ...AFTER, ...ended }],
			({ executions }) => executions.filter(({ end }) => end === 'success').length === 2,
		);

		expect(world.charges.length).toBe(9);
	});
});

it('a loop that is killed in its third round leaves everything that it bought, once', async () => {
	const loop: Partial<ExecutionPlan> = { requests: [1], rounds: 3 };
	const world = await play([loop, { ...AFTER, ...loop }], ({ runs, rows }) => {
		const rounds = runs.filter(({ end }) => end === 'delivered').length;
		return rounds === 2 && rows.some(({ state }) => state === 'bought' || state === 'sent');
	});

	const [first, second, , ...next] = world.runs;
	expect(linksOf(...next)).toStrictEqual(expect.arrayContaining(linksOf(first, second)));
	expect(world.charges.filter(({ run }) => run.execution === 'x2').length).toBe(1);
});

describe('a sub-workflow whose caller repeats it', () => {
	const called: Partial<ExecutionPlan> = { requests: [1, 2], failing: 2, callerTries: 2 };

	it.each([1, 2] as const)('pays once, if the node has so many tries: %i', async (tries) => {
		const world = await play([{ ...called, tries }]);

		expect(world.executions.map(({ parent }) => parent !== '').slice(0, 2)).toStrictEqual([
			true,
			true,
		]);
		expect(world.charges.length).toBe(2);
	});

	it('pays once if somebody retries the caller', async () => {
		const world = await play([
			{ ...called, callerTries: 1 },
			{ ...AFTER, kind: 'retry' },
		]);

		expect(world.charges.length).toBe(2);
	});

	it('does not send again what may have been charged, and says so', async () => {
		const requests = Array<number>(12).fill(1);
		const world = await play([{ ...called, requests }], undefined, { mishaps: 0.2 });
		const [first] = runsIn(world, 'x1');
		const [second] = runsIn(world, 'x2');
		const isUnclear = (text: string) => text.startsWith('unclear x2');

		expect(first?.unclear.length).toBeGreaterThan(0);
		expect(second?.told.filter(isUnclear).length).toBe(first?.unclear.length);
	});
});

it('a workflow timeout, which closes the table as well, costs no image that was answered', async () => {
	const requests = [1, 2, 3, 1, 2, 3];
	const many: Partial<ExecutionPlan> = { requests, concurrency: 3, timeoutAfter: 2500 };
	const world = await play([many, { at: 30_000, requests }]);
	const [stopped, next] = world.runs;

	expect(linksOf(stopped).length).toBeGreaterThan(0);
	expect(linksOf(next)).toStrictEqual(expect.arrayContaining(linksOf(stopped)));
});

it('a workflow timeout while the run writes its end leaves its images to the next run', async () => {
	const requests = [1, 2, 3];
	const world = await play(
		[{ requests }, { at: 30_000, requests }],
		({ executions, rows, runs }) => {
			const isClosed = rows.length === 4 && rows.some(({ state }) => state === 'delivered');
			const [execution] = executions;
			if (isClosed && runs.length === 1 && execution !== undefined) {
				execution.isTimedOut = true;
				execution.abort.abort();
			}
			return false;
		},
	);
	const [stopped, next] = world.runs;

	expect(stopped?.end).toBe('stopped');
	expect(world.charges.length).toBe(3);
	expect(sourcesOf(next)).toStrictEqual(Array(3).fill('stopped run'));
});

it('of four runs that start together after a kill, one tells of each request that was cut off', async () => {
	const four = Array.from({ length: 4 }, () => ({ ...AFTER, requests: [3] }));
	// The first run after the kill sees the row of the process, and the others that it stands still.
	const first = { process: 1, at: 60_000 };
	const world = await play(
		[{ requests: [1, 2, 1, 2], concurrency: 2 }, first, ...four],
		({ charges }) => charges.length === 2,
		{ latency: 400 },
	);

	const told = world.runs.slice(2, 6).flatMap(({ toldEntries }) => toldEntries);
	expect(told.length).toBeGreaterThan(1);
	expect(new Set(told).size).toBe(told.length);
});
