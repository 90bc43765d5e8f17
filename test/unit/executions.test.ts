import { QUIET, type ExecutionPlan, type Schedule } from '../guarantees/logSchedule';
import { LogSimulation } from '../guarantees/logSimulation';
import { logViolations } from '../guarantees/logViolations';
import type { SimulatedRun } from '../guarantees/simulatedRuns';

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
			notices: true,
			edits: [],
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
const THREE = [1, 2, 3];
/** The execution's later node runs when something happens to it. */
const LATER = { requests: THREE, later: 60_000 };
/** Ten seconds after it began, the execution runs its later node. */
const TEN = 20_000;
const isInLaterNode = ({ runs }: LogSimulation) => runs.some(({ end }) => end === 'delivered');
const linksOf = (...runs: Array<SimulatedRun | undefined>) =>
	runs.flatMap((run) => run?.output.map(({ link }) => link) ?? []);
const sourcesOf = (run: SimulatedRun | undefined) => run?.output.map(({ from }) => from);
const runsIn = ({ runs }: LogSimulation, execution: string) =>
	runs.filter((run) => run.execution === execution);
const taken = Array(3).fill('stopped run');

describe('an execution that was killed while a later node ran', () => {
	it('leaves its images to the next run, once', async () => {
		const next = { ...AFTER, requests: THREE };
		const world = await play([LATER, next, { ...next, at: 100_000 }], isInLaterNode);
		const [first, second] = world.runs;

		expect(world.charges.length).toBe(6);
		expect(sourcesOf(second)).toStrictEqual(taken);
		expect(linksOf(second).sort()).toStrictEqual(linksOf(first).sort());
	});

	it('leaves them to Retry', async () => {
		const world = await play([LATER, { ...AFTER, kind: 'retry' }], isInLaterNode);

		expect(world.charges.length).toBe(3);
	});

	it('leaves each to one of two runs at once, and the other buys its own', async () => {
		const next = { ...AFTER, requests: THREE };
		const world = await play([LATER, next, next], isInLaterNode);

		expect(world.charges.length).toBe(6);
	});

	it('costs nothing again with Reuse Images', async () => {
		const again: Partial<ExecutionPlan> = { ...AFTER, requests: THREE, reuse: 'always' };
		const world = await play([LATER, again], isInLaterNode);

		expect(world.charges.length).toBe(3);
	});

	it('leaves them until n8n has lost it for an hour, if n8n never notices', async () => {
		const next = { ...AFTER, requests: THREE };
		const hour = 3_600_000;
		const unnoticed = { notices: false };
		const soon = await play([LATER, next], isInLaterNode, unnoticed);
		const later = await play([LATER, { ...next, at: hour + 80_000 }], isInLaterNode, unnoticed);

		expect(soon.charges.length).toBe(6);
		expect(later.charges.length).toBe(3);
	});

	it('leaves nothing if n8n does not save failed executions, because nobody can know', async () => {
		const world = await play(
			[
				{ ...LATER, savesFailure: false },
				{ ...AFTER, requests: THREE },
			],
			isInLaterNode,
		);

		expect(world.charges.length).toBe(6);
	});
});

describe('an execution that ended well', () => {
	const kill = ({ executions }: LogSimulation) => executions.some(({ end }) => end === 'success');

	it.each([true, false])(
		'leaves nothing to another process, whether n8n saves it or not: %s',
		async (savesSuccess) => {
			const ended = { requests: THREE, savesSuccess };
			const world = await play([ended, { ...AFTER, requests: THREE }], kill);

			expect(world.charges.length).toBe(6);
		},
	);

	it('leaves nothing as long as a later node runs, in its process or another one', async () => {
		const world = await play([
			LATER,
			{ at: TEN, requests: THREE },
			{ at: TEN, process: 1, requests: THREE },
		]);

		expect(world.charges.length).toBe(9);
	});
});

it('an execution that was killed in a later node, and had saved its progress, keeps its images', async () => {
	const next = { ...AFTER, requests: THREE };
	const world = await play([{ ...LATER, savesProgress: true }, next], isInLaterNode);

	expect(world.charges.length).toBe(6);
});

it.each([true, false])(
	'an execution whose later node failed keeps its images, saved or not: %p',
	async (savesFailure) => {
		const world = await play([
			{ ...LATER, laterFails: true, savesFailure },
			{ ...AFTER, requests: THREE },
		]);

		expect(world.charges.length).toBe(6);
	},
);

describe('an execution that was stopped while a later node ran', () => {
	it.each([
		['Stop', { stopAfter: TEN }],
		['the time limit', { timeoutAfter: TEN }],
	])('leaves its images to the next run in its process: %s', async (_how, plan) => {
		const world = await play([
			{ ...LATER, ...plan },
			{ at: 40_000, requests: THREE },
		]);

		expect(world.charges.length).toBe(3);
		expect(sourcesOf(world.runs[1])).toStrictEqual(taken);
	});

	it('leaves its images to another process, which asks n8n', async () => {
		const world = await play([
			{ ...LATER, stopAfter: TEN },
			{ at: 40_000, process: 1, requests: THREE },
		]);

		expect(world.charges.length).toBe(3);
	});
});

describe('an execution that failed', () => {
	const failed: Partial<ExecutionPlan> = { requests: THREE, failing: 2 };

	it('leaves its images to the next run if n8n does not have its data', async () => {
		const world = await play([
			{ ...failed, savesFailure: false },
			{ ...AFTER, requests: THREE },
		]);

		expect(world.charges.length).toBe(3);
	});

	it('leaves its images to the next run if somebody has deleted it', async () => {
		const world = await play([
			{ ...failed, deletedAfter: 0 },
			{ ...AFTER, requests: THREE },
		]);

		expect(world.charges.length).toBe(3);
	});

	it('leaves them to Retry alone if n8n has its data', async () => {
		const world = await play([
			failed,
			{ ...AFTER, requests: THREE },
			{ ...AFTER, at: 120_000, kind: 'retry' },
		]);

		expect(world.charges.length).toBe(6);
	});

	it('leaves what an earlier round of its loop delivered, if n8n does not have its data', async () => {
		let isFirst = true;
		const world = await play(
			[
				{ requests: [1], rounds: 2, savesFailure: false },
				{ ...AFTER, requests: [1] },
			],
			({ executions, runs }) => {
				// Its second round fails.
				if (runs.length === 2 && isFirst && executions[0] !== undefined) {
					isFirst = false;
					Object.assign(executions[0].plan, { failing: 2 });
				}
				return false;
			},
		);

		expect(world.charges.filter(({ run }) => run.execution === 'x2').length).toBe(0);
	});
});

it('a loop that is killed in its third round leaves everything that it bought, once', async () => {
	const loop: Partial<ExecutionPlan> = { requests: [1], rounds: 3 };
	const world = await play([loop, { ...AFTER, ...loop }], ({ runs, table: { rows } }) => {
		const rounds = runs.filter(({ end }) => end === 'delivered').length;
		return rounds === 2 && rows.some(({ state }) => state === 'bought' || state === 'sent');
	});

	const [first, second, , ...next] = world.runs;
	expect(linksOf(...next)).toStrictEqual(expect.arrayContaining(linksOf(first, second)));
	expect(world.charges.filter(({ run }) => run.execution === 'x2').length).toBe(1);
});

describe('a sub-workflow', () => {
	const called: Partial<ExecutionPlan> = { requests: [1, 2], failing: 2, callerTries: 2 };

	it.each([1, 2] as const)(
		'pays once if its caller repeats it, with so many tries: %i',
		async (tries) => {
			const world = await play([{ ...called, tries }]);

			expect(world.executions.map(({ parent }) => parent !== '').slice(0, 3)).toStrictEqual([
				false,
				true,
				true,
			]);
			expect(world.charges.length).toBe(2);
		},
	);

	it('pays once if somebody retries the caller', async () => {
		const world = await play([
			{ ...called, callerTries: 1 },
			{ ...AFTER, kind: 'retry' },
		]);

		expect(world.charges.length).toBe(2);
	});

	it('does not send again what may have been charged, and says so', async () => {
		const requests = Array<number>(12).fill(1);
		const world = await play([{ ...called, requests }], undefined, { seed: 2, mishaps: 0.2 });
		const [first] = runsIn(world, 'x2');
		const [second] = runsIn(world, 'x3');
		const isUnclear = (text: string) => text.startsWith('unclear x3');

		expect(first?.unclear.length).toBeGreaterThan(0);
		expect(second?.told.filter(isUnclear).length).toBe(first?.unclear.length);
	});

	const ended: Partial<ExecutionPlan> = { ...LATER, callerTries: 1 };

	it('leaves its images to the next run if its caller is killed in a later node', async () => {
		const world = await play([ended, { ...AFTER, requests: THREE }], isInLaterNode);

		expect(world.charges.length).toBe(3);
	});

	it('has its images if its caller fails in a later node, because the caller is stored', async () => {
		const world = await play([
			{ ...ended, laterFails: true },
			{ ...AFTER, requests: THREE },
		]);

		expect(world.charges.length).toBe(6);
	});

	it('leaves its images to the next run if its caller is stopped in a later node', async () => {
		const world = await play([
			{ ...ended, stopAfter: TEN },
			{ at: 40_000, requests: THREE },
		]);

		expect(world.charges.length).toBe(3);
	});

	it('leaves nothing if its caller ended well', async () => {
		const world = await play([
			{ ...ended, later: 0 },
			{ at: 40_000, requests: THREE },
		]);

		expect(world.charges.length).toBe(6);
	});
});

describe('a row that somebody has edited', () => {
	const killed = { requests: THREE, concurrency: 3, stores: 20_000 };
	const isBought = ({ charges, table: { rows } }: LogSimulation) =>
		charges.length === 3 && rows.filter(({ state }) => state === 'bought').length === 3;

	it.each(['time', 'image', 'execution', 'parent', 'run', 'entry'] as const)(
		'costs no image that a killed run left, if it was cleared or is a number: %s',
		async (column) => {
			for (const value of [null, 12]) {
				const edit = (world: LogSimulation) => {
					if (!isBought(world)) return false;
					for (const cells of world.table.cells.filter(({ state }) => state === 'bought')) {
						cells[column] = value;
					}
					return true;
				};
				const world = await play([killed, { ...AFTER, requests: THREE }], edit);

				expect(world.charges.length).toBe(3);
			}
		},
	);

	it('makes no other row wrong, and stops no run, if it is nonsense', async () => {
		const edit = (world: LogSimulation) => {
			if (!isBought(world)) return false;
			const [cells] = world.table.cells.filter(({ state }) => state === 'bought');
			Object.assign(cells ?? {}, { link: 'nowhere', result: '{', run: '=1', state: 'bought' });
			world.table.edits.push('nonsense');
			return true;
		};
		const world = await play([killed, { ...AFTER, requests: THREE }], edit);

		expect(world.runs[1]?.end).toBe('delivered');
		expect(world.charges.length).toBe(4);
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
		({ executions, runs, table: { rows } }) => {
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

	const told = world.runs.slice(2, 6).flatMap(({ toldOf }) => toldOf.map(({ entry }) => entry));
	expect(told.length).toBeGreaterThan(1);
	expect(new Set(told).size).toBe(told.length);
});
