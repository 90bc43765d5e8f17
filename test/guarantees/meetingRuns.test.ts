import './simulation/virtualTime';

import {
	CALM,
	HOUR,
	MINUTE,
	PLAIN,
	SECOND,
	type ExecutionPlan,
	type Fate,
	type Schedule,
} from './simulation/plan';
import { findingsOf } from './simulation/promises';
import { World } from './simulation/world';

const DAY = 24 * HOUR;

/** An execution that starts then. */
const at = (start: number, more: Partial<ExecutionPlan> = {}): ExecutionPlan => ({
	...PLAIN,
	at: start,
	...more,
});

/** A service that makes each image in so many seconds, the first ones as the script says. */
const service = (seconds: number, ...script: Fate[]): Schedule['service'] => ({
	...CALM.service,
	slowest: seconds * SECOND,
	script: [
		...script.map((fate) => ({ fate, ms: seconds * SECOND })),
		...Array.from({ length: 100 }, () => ({ fate: 'image' as const, ms: seconds * SECOND })),
	],
});

const WITH_LOG = { hasLog: true, clocks: [0, 0] };

/** Plays a schedule, checks its promises, and counts. */
async function play(schedule: Partial<Schedule>) {
	const world = new World({ ...CALM, service: service(2), ...schedule });
	await world.play();
	const { violations, limits } = findingsOf(world);
	expect({ violations, trace: violations.length > 0 && world.trace }).toStrictEqual({
		violations: [],
		trace: false,
	});
	const own = world.executions.filter(({ plan }) => !plan.isProbe);
	return {
		world,
		limits,
		charged: world.service.charges.filter(
			({ isCharged, run }) => isCharged && !run.execution.plan.isProbe,
		).length,
		ends: own.map(({ truth }) => truth),
		images: own.map(({ uses }) => uses.map(({ charge }) => charge.id)),
	};
}

/** Plays it without a log, and with one. */
async function playBoth(schedule: Partial<Schedule>) {
	const both = [await play(schedule), await play({ ...schedule, hasLog: true })];
	const [{ charged, images }] = both as [(typeof both)[0]];
	expect(both.map((each) => each.charged)).toStrictEqual([charged, charged]);
	return { charged, images };
}

describe('an execution fails', () => {
	it('lets a daily schedule have on the next day what the sheet refused, although it is a little late', async () => {
		const executions = [at(0, { laterFails: 0 }), at(DAY + 5 * SECOND)];
		expect(await playBoth({ executions })).toMatchObject({ charged: 1, images: [[0], [0]] });
	});

	it('lets the next run have what a run bought that failed itself', async () => {
		const asks = ['a', 'b'];
		const executions = [at(0, { asks, concurrency: 1 }), at(MINUTE, { asks }), at(HOUR)];
		const { images } = await playBoth({ executions, service: service(2, 'image', 'refused') });
		expect(images).toStrictEqual([[], [0, 2], [3]]);
	});

	it('leaves an image that three runs have taken, so that one that a later node never takes is not taken for ever', async () => {
		const executions = Array.from({ length: 6 }, (_, hour) => at(hour * HOUR, { laterFails: 0 }));
		expect(await play({ executions })).toMatchObject({
			charged: 2,
			images: [[0], [0], [0], [0], [1], [1]],
		});
	});

	it('lets both Retry and the next run have what a failed execution bought', async () => {
		const executions = [at(0, { laterFails: 0, retryAfter: MINUTE }), at(10 * MINUTE)];
		expect(await play({ executions })).toMatchObject({
			charged: 1,
			limits: ['used twice: Retry finished a failed execution with its later nodes alone'],
		});
	});

	it('gives the next round of a retried loop an image of its own', async () => {
		const executions = [at(0, { rounds: 3, laterFails: 1, retryAfter: MINUTE })];
		const { images } = await playBoth({ executions });
		expect(images).toStrictEqual([
			[0, 1],
			[0, 1, 2],
		]);
	});

	it('leaves to the schedule what a person looks at in the editor', async () => {
		const executions = [
			at(0, { laterFails: 0 }),
			at(5 * MINUTE, { isManual: true }),
			at(10 * MINUTE),
		];
		expect(await playBoth({ executions })).toMatchObject({ charged: 1, images: [[0], [0], [0]] });
	});

	it('keeps an image for a run on another worker', async () => {
		const executions = [at(0, { laterFails: 0 }), at(30 * SECOND, { process: 1 }), at(MINUTE)];
		expect(await play({ ...WITH_LOG, executions })).toMatchObject({
			charged: 2,
			images: [[0], [0], [1]],
		});
	});
});

describe('an execution goes on', () => {
	it('keeps its image while a later node works for minutes, also from another worker', async () => {
		const executions = [at(0, { later: 10 * MINUTE }), at(MINUTE, { process: 1 })];
		expect(await play({ ...WITH_LOG, executions })).toMatchObject({ charged: 2 });
	});

	it('keeps its image while a later node works for two hours in the same process', async () => {
		const executions = [at(0, { later: 2 * HOUR }), at(70 * MINUTE)];
		expect(await playBoth({ executions })).toMatchObject({ charged: 2 });
	});

	it('keeps its image while it waits for a person and n8n restarts', async () => {
		const executions = [at(0, { pause: 5 * HOUR }), at(2 * HOUR)];
		const kills = [{ at: HOUR, process: 0, notice: 'restart' as const }];
		expect(await play({ hasLog: true, executions, kills })).toMatchObject({ charged: 2 });
	});
});

describe('n8n is killed', () => {
	it('lets the next run have what was bought, once n8n has noticed', async () => {
		const executions = [
			at(0, { asks: ['a', 'b'], later: 10 * MINUTE }),
			at(2 * MINUTE, { asks: ['a', 'b'] }),
		];
		const kills = [{ at: MINUTE, process: 0, notice: 'restart' as const }];
		expect(await play({ hasLog: true, executions, kills })).toMatchObject({ charged: 2 });
	});

	it('lets the next run have what an execution had bought that failed before', async () => {
		const executions = [at(0, { laterFails: 0 }), at(2 * MINUTE), at(10 * MINUTE)];
		const kills = [{ at: MINUTE, process: 0, notice: 'restart' as const }];
		expect(await play({ hasLog: true, executions, kills })).toMatchObject({
			charged: 2,
			images: [[0], [0], [1]],
		});
	});

	it('lets the next run have after an hour what n8n never notices', async () => {
		const executions = [at(0, { later: 10 * MINUTE }), at(2 * HOUR)];
		const kills = [{ at: MINUTE, process: 0, notice: 'never' as const }];
		expect(await play({ hasLog: true, executions, kills })).toMatchObject({ charged: 1 });
	});

	it('tells of a request whose answer nobody has heard', async () => {
		const executions = [at(0), at(5 * MINUTE, { asks: ['b'] })];
		const kills = [{ at: 5 * SECOND, process: 0, notice: 'restart' as const }];
		const { world, charged } = await play({
			hasLog: true,
			executions,
			kills,
			service: service(60),
		});
		expect(charged).toBe(2);
		expect(world.executions[1]?.said[0]?.text).toMatch(
			/may have been charged: Item 1, &quot;a&quot;/,
		);
	});
});

describe('Stop', () => {
	it.each([
		['in production', false],
		['in the editor', true],
	])(
		'buys nothing twice if somebody runs the workflow again at once %s',
		async (_where, isManual) => {
			const asks = ['a', 'b', 'c'];
			const executions = [
				at(0, { asks, isManual, stopAfter: 3 * SECOND, concurrency: 3 }),
				at(4 * SECOND, { asks, isManual }),
			];
			expect(await playBoth({ executions, service: service(10) })).toMatchObject({
				charged: 3,
				images: [[], [0, 1, 2]],
			});
		},
	);

	it('lets the next run have, once, what all rounds of a loop had bought when a later node was stopped, although n8n stores nothing of that', async () => {
		const executions = [
			at(0, { rounds: 2, later: MINUTE, stopAfter: 70 * SECOND, savesFailed: false }),
			at(2 * MINUTE, { rounds: 2 }),
			at(10 * MINUTE, { rounds: 2 }),
		];
		const { images } = await playBoth({ executions });
		expect(images).toStrictEqual([
			[0, 1],
			[1, 0],
			[2, 3],
		]);
	});

	it('lets the next run have an answer that came meanwhile', async () => {
		const executions = [at(0, { stopAfter: 2 * SECOND }), at(30 * SECOND)];
		expect(await playBoth({ executions, service: service(10) })).toMatchObject({ charged: 1 });
	});

	it('does not tell of an image that the editor has shown meanwhile', async () => {
		const executions = [
			at(0, { stopAfter: SECOND }),
			at(30 * SECOND, { isManual: true }),
			at(MINUTE, { isManual: true, asks: ['b'] }),
		];
		const { world, images } = await play({ executions, service: service(2) });
		expect(images).toStrictEqual([[], [0], [1]]);
		expect(world.executions[2]?.said[0]?.text).not.toMatch(/unfinished run/);
	});

	it('lets the next run buy once the awaited request has turned out to be free', async () => {
		const executions = [at(0, { stopAfter: 2 * SECOND }), at(3 * SECOND)];
		const { charged, images } = await playBoth({ executions, service: service(10, 'refused') });
		expect({ charged, images }).toStrictEqual({ charged: 1, images: [[], [1]] });
	});

	it('lets the next run buy, and say so, once the awaited request has turned out to be unclear', async () => {
		const executions = [at(0, { stopAfter: 2 * SECOND }), at(3 * SECOND)];
		const { world, images } = await play({ executions, service: service(10, 'charged') });
		expect(images).toStrictEqual([[], [1]]);
		expect(world.executions[1]?.said[0]?.text).toMatch(/may have been charged/);
	});

	it('lets nobody wait for more than two minutes for an answer that never comes', async () => {
		const executions = [at(0, { stopAfter: MINUTE }), at(62 * SECOND)];
		const { world, images } = await play({ executions, service: service(10, 'hangs') });
		expect(images).toStrictEqual([[], [1]]);
		expect(world.executions[1]?.endedAt).toBeLessThan(3 * MINUTE);
	});

	it('waits for nothing any more if the one who waits is stopped as well', async () => {
		const executions = [
			at(0, { stopAfter: 2 * SECOND }),
			at(3 * SECOND, { stopAfter: 7 * SECOND }),
			at(15 * SECOND),
		];
		const { charged, images } = await playBoth({ executions, service: service(60) });
		expect({ charged, images }).toStrictEqual({ charged: 1, images: [[], [], [0]] });
	});

	it('gives one awaited answer to one of two runs', async () => {
		const executions = [at(0, { stopAfter: 2 * SECOND }), at(3 * SECOND), at(4 * SECOND)];
		const { charged } = await playBoth({ executions, service: service(60) });
		expect(charged).toBe(2);
	});

	it('lets a run on another worker have the answer', async () => {
		const executions = [at(0, { stopAfter: 3 * SECOND }), at(5 * SECOND, { process: 1 })];
		expect(await play({ ...WITH_LOG, executions, service: service(10) })).toMatchObject({
			charged: 1,
		});
	});

	it('lets a run on another worker have the answer although the execution is not stored', async () => {
		const executions = [
			at(0, { stopAfter: 3 * SECOND, savesFailed: false }),
			at(5 * SECOND, { process: 1 }),
		];
		expect(await play({ ...WITH_LOG, executions, service: service(10) })).toMatchObject({
			charged: 1,
		});
	});

	it("lets a run on another worker have the answer after the workflow's time limit", async () => {
		const executions = [at(0, { limit: 3 * SECOND }), at(5 * SECOND, { process: 1 })];
		expect(await play({ ...WITH_LOG, executions, service: service(10) })).toMatchObject({
			charged: 1,
		});
	});

	it('writes the answer to the log once the table is there again', async () => {
		const executions = [at(0, { stopAfter: 3 * SECOND }), at(40 * SECOND, { process: 1 })];
		const outages = [{ from: 8 * SECOND, to: 20 * SECOND }];
		expect(await play({ ...WITH_LOG, executions, outages, service: service(10) })).toMatchObject({
			charged: 1,
		});
	});

	it.each([-10 * MINUTE, 10 * MINUTE])(
		'keeps its promises on a worker whose clock is %i ms ahead',
		async (skew) => {
			const executions = [at(0, { stopAfter: 3 * SECOND }), at(5 * SECOND, { process: 1 })];
			const { charged, world } = await play({
				hasLog: true,
				clocks: [0, skew],
				executions,
				service: service(10),
			});
			expect(charged).toBeLessThanOrEqual(2);
			expect(world.executions[1]?.endedAt).toBeLessThan(3 * MINUTE);
		},
	);

	it('reaches a sub-workflow before its next request, which it does not send', async () => {
		const asks = ['a', 'b', 'c'];
		const sub = { asks, concurrency: 1, callerTries: 1 };
		const executions = [at(0, { ...sub, stopAfter: 3 * SECOND }), at(15 * SECOND, sub)];
		expect(await play({ executions, service: service(10) })).toMatchObject({
			charged: 3,
			images: [[], [], [], [0, 1, 2]],
		});
	});
});

describe('sub-workflows', () => {
	it('lets the second try of a caller have what the first one bought', async () => {
		const executions = [at(0, { callerTries: 3, subFails: true })];
		expect(await playBoth({ executions })).toMatchObject({ charged: 1 });
	});

	it('lets the next call have what the outermost caller failed with', async () => {
		const sub = { callerTries: 1, isNested: true };
		const executions = [at(0, { ...sub, laterFails: 0 }), at(5 * MINUTE, sub)];
		expect(await playBoth({ executions })).toMatchObject({ charged: 1 });
	});

	it('leaves the image to a sub-workflow that ended well although a caller that did not wait failed', async () => {
		const sub = { callerTries: 1, isDetached: true, later: 20 * SECOND };
		const executions = [at(0, { ...sub, laterFails: 0 }), at(5 * MINUTE, sub)];
		expect(await playBoth({ executions })).toMatchObject({ charged: 2 });
	});
});

describe('runs meet', () => {
	it('lets runs with Reuse Images share a purchase in progress, and no others', async () => {
		const executions = [at(0, { reuse: 'always' }), at(900, { reuse: 'always' })];
		expect(await play({ executions })).toMatchObject({ charged: 1, images: [[0], [0]] });
		expect(await playBoth({ executions: [at(0), at(900)] })).toMatchObject({
			charged: 2,
			images: [[0], [1]],
		});
	});

	it('buys each image once if two runs with Reuse Images ask for the same in another order', async () => {
		const asks = Array.from({ length: 20 }, (_, index) => `image ${index}`);
		const executions = [asks, asks.toReversed()].map((order) =>
			at(0, { reuse: 'always', asks: order }),
		);
		const { charged, ends } = await play({ executions });
		expect({ charged, ends }).toStrictEqual({ charged: 20, ends: ['well', 'well'] });
	});

	it('lets a run buy its own image if the run that it waits for gets none for free', async () => {
		const executions = [at(0, { reuse: 'always' }), at(900, { reuse: 'always' })];
		expect(await play({ executions, service: service(2, 'refused') })).toMatchObject({
			charged: 1,
			images: [[], [1]],
		});
	});

	it('ends the wait for another run at once by Stop', async () => {
		const executions = [
			at(0, { reuse: 'always' }),
			at(900, { reuse: 'always', stopAfter: SECOND }),
		];
		const { world, charged } = await play({ executions, service: service(60) });
		expect(charged).toBe(1);
		expect(world.runs[1]?.waited).toBeGreaterThan(0);
		expect(world.runs[1]?.waited).toBeLessThan(2 * SECOND);
	});

	it('lets nobody wait for what a try announced that n8n repeats', async () => {
		const executions = [
			at(0, { reuse: 'always', tries: 3, dayLimit: 1, asks: ['a', 'b'] }),
			at(MINUTE, { reuse: 'always', dayLimit: 1 }),
		];
		const { ends, charged } = await play({ executions });
		expect({ ends, charged }).toStrictEqual({ ends: ['failed', 'well'], charged: 1 });
	});

	it('buys equal cut-outs of one execution once, rounds of a loop included', async () => {
		const executions = [at(0, { isCutOut: true, asks: ['a', 'a', 'b', 'a'], rounds: 3 })];
		expect(await playBoth({ executions })).toMatchObject({ charged: 2 });
	});

	it('sends no cut-out again in a later round that may have been charged', async () => {
		const executions = [at(0, { isCutOut: true, rounds: 2, continues: true })];
		const { charged } = await play({ executions, service: service(2, 'charged') });
		expect(charged).toBe(1);
	});

	it('never exceeds Max Images per Day, whoever meets', async () => {
		const more = { asks: ['a', 'b', 'c'], dayLimit: 4, continues: true };
		const executions = [0, 1, 2, 3].map((process) =>
			at(process * 100, { ...more, process: process % 2 }),
		);
		const { charged } = await play({ ...WITH_LOG, executions });
		expect(charged).toBe(4);
	});

	it('counts requests of a stopped run under Max Images per Day, also while their answers are awaited', async () => {
		const more = { dayLimit: 1, continues: true };
		const executions = [
			at(0, { ...more, stopAfter: SECOND }),
			at(2 * SECOND, { ...more, asks: ['b'] }),
			at(HOUR, { ...more, asks: ['c'] }),
		];
		expect(await playBoth({ executions, service: service(5) })).toMatchObject({ charged: 1 });
	});
});

describe('the table', () => {
	it('keeps the row of an image whose next row could not be added', async () => {
		const executions = [at(0, { stopAfter: 10 * SECOND, asks: ['a', 'b'], concurrency: 1 })];
		const full = [{ from: 1900, to: 11 * SECOND }];
		expect(await play({ hasLog: true, executions, full })).toMatchObject({ charged: 1 });
	});

	it("leaves what was bought before the workflow's time limit, although several runs write at that moment", async () => {
		const asks = ['a', 'b', 'c'];
		const executions = [
			at(0, { asks, concurrency: 3, limit: 20 * SECOND }),
			at(HOUR, { asks, process: 1 }),
		];
		const script = [
			{ fate: 'image' as const, ms: 2 * SECOND },
			{ fate: 'image' as const, ms: 3 * SECOND },
			{ fate: 'hangs' as const, ms: SECOND },
		];
		const kills = [{ at: 30 * MINUTE, process: 0, notice: 'restart' as const }];
		const { images } = await play({
			...WITH_LOG,
			executions,
			kills,
			service: { ...service(2), script },
		});
		expect(images[1]?.slice(0, 2)).toStrictEqual([0, 1]);
	});

	it('leaves to another worker what that has taken meanwhile, although Retry has it as well', async () => {
		const executions = [
			at(0, { asks: ['a', 'b'], concurrency: 1, retryAfter: 5 * MINUTE }),
			at(MINUTE, { process: 1, later: HOUR }),
		];
		expect(
			await play({ ...WITH_LOG, executions, service: service(2, 'image', 'refused') }),
		).toMatchObject({ charged: 2 });
	});
});
