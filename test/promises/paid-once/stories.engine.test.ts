import { DAY, HOUR, MINUTE, SECOND } from './simulation/clock';
import type { Fate, Start, Workflow } from './simulation/plan';
import { play, playBoth, service, wishes, type Happening } from './simulation/play';

const ROW = wishes('row@a');
const THIRTY = wishes(...Array.from({ length: 30 }, (_, index) => `round ${index}@a`));
const LATER = [0, 0] as const;
const EDIT = { operation: 'edit' } as const;
const CUT_OUT = { operation: 'removeBackground' } as const;
const FROM_ADDRESS = { ...CUT_OUT, isByAddress: true };
const POST_THEN_STORE = [
	{ kind: 'post', ms: SECOND },
	{ kind: 'other', ms: SECOND },
] as const;
const GATE = [
	{ kind: 'gate', ms: SECOND },
	{ kind: 'write', ms: SECOND },
] as const;

/** So many starts, with so much time between them. */
const every = (
	ms: number,
	count: number,
	start: (index: number) => Start & { workflow?: Partial<Workflow> },
): Happening[] =>
	Array.from({ length: count }, (_, index) => ({ at: index * ms, ...start(index) }));

describe('a later node fails', () => {
	it('buys the pictures of two rows once although the sheet refuses them for five nights', async () => {
		const story = every(14 * HOUR, 6, (night) => ({
			wishes: wishes('row 1@a', 'row 2@b'),
			failsAt: night < 5 ? LATER : undefined,
		}));
		expect(await playBoth(story)).toMatchObject({ paid: 2 });
	});

	it("buys a fixed prompt's picture for Tuesday although a node failed after Monday's post", async () => {
		const daily = { isFixed: true, steps: POST_THEN_STORE };
		const story = [
			{ at: 0, workflow: daily, wishes: wishes('Monday@a'), failsAt: [0, 1] as const },
			{ at: DAY, workflow: daily, wishes: wishes('Tuesday@a') },
		];
		expect(await playBoth(story)).toMatchObject({ paid: 2, images: [[0], [1]] });
	});

	it('gives each round of a loop its own picture after Retry', async () => {
		const story = [
			{
				at: 0,
				workflow: { isLoop: true },
				wishes: wishes('a@same', 'b@same', 'c@same'),
				failsAt: [1, 0] as const,
				retriesAt: [MINUTE],
			},
		];
		expect(await playBoth(story)).toMatchObject({
			paid: 3,
			images: [
				[0, 1],
				[0, 1, 2],
			],
		});
	});

	it('goes on with a loop in Retry although n8n has lost what an earlier round returned', async () => {
		const workflow = { isLoop: true };
		const story: Happening[] = [
			{ at: 0, workflow, wishes: wishes('a', 'b', 'c'), failsAt: [1, 0], retriesAt: [MINUTE] },
			{
				at: 30 * SECOND,
				change: ({ executions }) => executions.forEach((each) => (each.outputs = {})),
			},
		];
		expect(await playBoth(story)).toMatchObject({ paid: 3, ends: ['failed', 'well'] });
	});
});

describe('two runs ask for one image', () => {
	it.each([false, true])(
		'gives that of a failed run to one of them only (log: %s)',
		async (hasLog) => {
			const story = [
				{ at: 0, wishes: ROW, failsAt: LATER },
				{ at: HOUR, wishes: wishes('Anna@a') },
				{ at: HOUR, wishes: wishes('Bert@a') },
			];
			expect(await play(story, { hasLog })).toMatchObject({ paid: 2 });
		},
	);

	it('keeps it for the one on another worker, whose log says that it has the image', async () => {
		const story = [
			{ at: 0, wishes: ROW, failsAt: LATER },
			{ at: MINUTE, wishes: wishes('Anna@a'), process: 1 },
			{ at: 2 * MINUTE, wishes: wishes('Bert@a') },
		];
		expect(await play(story, { hasLog: true, processes: 2 })).toMatchObject({
			paid: 2,
			images: [[0], [0], [1]],
		});
	});
});

describe('the image node fails', () => {
	it('gives the finished images to the editor and to the next night, which buy the missing one each', async () => {
		const three = wishes('row 1@a', 'row 2@b', 'row 3@c');
		const story = [
			{ at: 0, wishes: three },
			{ at: HOUR, wishes: three, isManual: true },
			{ at: DAY, wishes: three },
		];
		const settings = service(3, 'image', 'image', ['refused', 4 * SECOND]);
		expect(await playBoth(story, settings)).toMatchObject({
			paid: 4,
			images: [[], [0, 1, 3], [0, 1, 4]],
		});
	});

	it('sends a request with a lost answer again only in Retry', async () => {
		const story = [
			{
				at: 0,
				workflow: { tries: 3 },
				wishes: wishes('row 1@a', 'row 2@b'),
				retriesAt: [MINUTE],
			},
		];
		const { paid, ends, world } = await playBoth(story, service(3, 'charged'));
		expect({ paid, ends }).toStrictEqual({ paid: 3, ends: ['failed', 'well'] });
		for (const { said } of world.executions) {
			expect(said.join()).toContain('may have been charged');
		}
	});

	it('does not send it again if n8n repeats the run because of an error item', async () => {
		const workflow = { tries: 3, continues: true };
		const story = [{ at: 0, workflow, wishes: wishes('row 1@a', 'row 2@b') }];
		const { paid, world } = await playBoth(story, service(3, 'charged'));
		expect({ paid, tries: world.attempts.length }).toStrictEqual({ paid: 2, tries: 3 });
		expect(world.executions[0]?.said.join()).toContain('may have been charged');
	});

	it('leaves the finished image to Retry, after which a later run buys its own', async () => {
		const story = [
			{ at: 0, wishes: wishes('row 1@a', 'row 2@b'), retriesAt: [MINUTE] },
			{ at: HOUR, wishes: wishes('another@a') },
		];
		expect(await playBoth(story, service(3, 'image', ['refused', 4 * SECOND]))).toMatchObject({
			paid: 3,
			images: [[], [0, 2], [3]],
		});
	});

	it('has for Never what a run and a Retry that met it both gave back', async () => {
		const workflow = { reuse: 'never', concurrency: 1 } as const;
		const rows = wishes('row 1@a', 'row 2@b');
		const story = [
			{ at: 0, workflow, wishes: rows, retriesAt: [MINUTE + 5 * SECOND] },
			{ at: MINUTE, workflow, wishes: rows },
			{ at: HOUR, workflow, wishes: rows },
		];
		const refused = [20, 40].map((seconds) => ['refused', seconds * SECOND] as const);
		expect(await playBoth(story, service(3, 'image', 'refused', ...refused))).toMatchObject({
			paid: 2,
			images: [[], [], [], [0, 4]],
		});
	});

	it('buys an image again in the next run if its link has never worked', async () => {
		const story = every(HOUR, 2, () => ({ wishes: ROW }));
		expect(await playBoth(story, service(3, 'broken'))).toMatchObject({
			paid: 2,
			ends: ['failed', 'well'],
		});
	});
});

describe('a log', () => {
	it('that could not be told who gave an image back asks n8n about the run that it names', async () => {
		const rows = wishes('row 1@a', 'row 2@b');
		const story: Happening[] = [
			{ at: 0, wishes: rows, workflow: { concurrency: 1 } },
			{ at: 7 * SECOND, change: ({ tables }) => (tables.isFull = true) },
			{ at: MINUTE, change: ({ tables }) => (tables.isFull = false) },
			{ at: HOUR, wishes: rows },
		];
		const settings = { ...service(3, 'image', ['refused', 20 * SECOND]), hasLog: true };
		const { paid, ends, images } = await play(story, settings);
		expect({ paid, ends }).toStrictEqual({ paid: 2, ends: ['failed', 'well'] });
		expect(images[1]?.[0]).toBe(0);
	});

	it('has one row of a request that had to be sent again, one without a link of an unclear one, and none of one that was refused', async () => {
		const story = [
			{ at: 0, workflow: { continues: true, concurrency: 1 }, wishes: wishes('a', 'b', 'c') },
		];
		const script = service(3, 'unreachable', 'unreachable', 'image', 'refused', 'charged');
		const { world, paid } = await play(story, { ...script, hasLog: true });
		expect(paid).toBe(2);
		expect(world.rows).toMatchObject([{ link: world.service.charges[2]?.link }, { link: null }]);
	});

	it('that somebody deletes while a run buys stops it, and the next run writes everything into a new one', async () => {
		const eight = wishes('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
		const story: Happening[] = [
			{ at: 0, wishes: eight },
			{ at: 2 * SECOND, change: ({ tables }) => tables.delete('Purchases') },
			{ at: MINUTE, wishes: eight },
		];
		const { world, paid, ends } = await play(story, { hasLog: true });
		expect({ paid, ends }).toStrictEqual({ paid: 8, ends: ['failed', 'well'] });
		expect(world.rows).toHaveLength(8);
	});

	it('that is slow leaves the requests as far apart as the service wants them', async () => {
		const thirty = wishes(...Array.from({ length: 30 }, (_, index) => `image ${index}`));
		const story = [{ at: 0, workflow: { concurrency: 10 }, wishes: thirty }];
		const slow = { hasLog: true, table: { latency: 1000, failures: 0 } };
		const { world } = await play(story, { ...service(3, ['throttled', 20]), ...slow });
		const later = world.service.charges.slice(10).map(({ at }) => at);
		const together = later.map((at) => later.filter((each) => each === at).length);
		// One that was late is made up for.
		expect(Math.max(...together)).toBeLessThanOrEqual(2);
	});
});

describe('the editor', () => {
	it('keeps the order of two copies between clicks although the first was refused once', async () => {
		const story = every(MINUTE, 4, () => ({
			workflow: { copies: 2 },
			wishes: ROW,
			isManual: true,
		}));
		const { paid, images } = await playBoth(story, service(3, ['refused', SECOND]));
		expect({ paid, images }).toStrictEqual({
			paid: 2,
			images: [[], [2, 1], [2, 1], [2, 1]],
		});
	});

	it('buys each image once for a node and its copy in one click', async () => {
		const workflow = { nodes: ['Image Generation', 'Image Generation1'] };
		const story = every(MINUTE, 2, () => ({
			workflow,
			wishes: wishes('row 1@a', 'row 2@b'),
			isManual: true,
		}));
		expect(await playBoth(story)).toMatchObject({ paid: 2 });
	});
});

describe('Stop', () => {
	it('lets nobody wait for an answer that never comes until the request is two minutes old', async () => {
		const story = [
			{ at: 0, wishes: ROW, isManual: true, stopAt: MINUTE },
			{ at: 62 * SECOND, wishes: ROW, isManual: true },
		];
		const { paid, images, world } = await playBoth(story, service(10, 'hangs'));
		expect({ paid, images }).toStrictEqual({ paid: 2, images: [[], [1]] });
		expect(Math.round((world.attempts[1]?.longestIdle ?? 0) / SECOND)).toBe(58);
	});

	it('lets the next run buy once the awaited request has turned out to be free', async () => {
		const story = [
			{ at: 0, wishes: ROW, stopAt: 2 * SECOND },
			{ at: 3 * SECOND, wishes: ROW },
		];
		expect(await playBoth(story, service(10, 'refused'))).toMatchObject({
			paid: 1,
			images: [[], [1]],
		});
	});

	it('lets the next run buy, and say so, once the awaited request has turned out to be unclear', async () => {
		const story = [
			{ at: 0, wishes: ROW, stopAt: 2 * SECOND },
			{ at: 3 * SECOND, wishes: ROW },
		];
		const { world, images } = await playBoth(story, service(10, 'charged'));
		expect(images).toStrictEqual([[], [1]]);
		expect(world.executions[1]?.said.join()).toMatch(/may have been charged/);
	});

	it('ends the wait for another request at once', async () => {
		const story = [
			{ at: 0, wishes: ROW, stopAt: 2 * SECOND },
			{ at: 3 * SECOND, wishes: ROW, stopAt: 7 * SECOND },
			{ at: 70 * SECOND, wishes: ROW },
		];
		expect(await playBoth(story, service(60))).toMatchObject({ paid: 1, images: [[], [], [0]] });
	});

	it('lets a run wait only for what was asked for, and buy the rest meanwhile', async () => {
		const story = [
			{ at: 0, wishes: wishes('row 1@a'), stopAt: 2 * SECOND },
			{ at: 3 * SECOND, wishes: wishes('row 1@a', 'row 2@b') },
		];
		const { world } = await playBoth(story, service(20));
		expect(world.service.charges.map(({ at }) => Math.floor(at / SECOND))).toStrictEqual([0, 3]);
	});
});

describe('a time limit', () => {
	const five = wishes('a', 'b', 'c', 'd', 'e');
	const limit = { limit: 12 * SECOND };
	const script = service(4, ['refused', 30 * SECOND], ...Array<Fate>(4).fill('image'), [
		'image',
		30 * SECOND,
	]);

	it('lets every run have what the runs before it have finished', async () => {
		const story = [
			{ at: 0, workflow: limit, wishes: five },
			{ at: 2 * MINUTE, workflow: limit, wishes: five },
			{ at: 5 * MINUTE, wishes: five },
		];
		expect(await playBoth(story, script)).toMatchObject({
			paid: 5,
			ends: ['timed out', 'timed out', 'well'],
		});
	});

	it('does so on another worker and after a restart if there is a log', async () => {
		const story: Happening[] = [
			{ at: 0, workflow: limit, wishes: five },
			{ at: 2 * MINUTE, workflow: limit, wishes: five, process: 1 },
			{ at: 4 * MINUTE, kill: 1, notice: 'restart' },
			{ at: 5 * MINUTE, wishes: five },
		];
		expect(await play(story, { ...script, hasLog: true, processes: 2 })).toMatchObject({
			paid: 5,
			ends: ['timed out', 'timed out', 'well'],
		});
	});
});

describe('an execution goes on', () => {
	it('keeps its image while it waits for a person and n8n restarts', async () => {
		const story: Happening[] = [
			{
				at: 0,
				workflow: { isLoop: true, pause: 5 * HOUR },
				wishes: wishes('Anna@a', 'Anna 2@b'),
			},
			{ at: HOUR, kill: 0, notice: 'restart' },
			{ at: 2 * HOUR, wishes: wishes('Bert@a') },
		];
		expect(await play(story, { hasLog: true })).toMatchObject({
			paid: 3,
			images: [[0, 2], [1]],
		});
	});

	it('lets two runs at once have an image each', async () => {
		const story = [
			{ at: 0, wishes: wishes('Anna@a') },
			{ at: 900, wishes: wishes('Bert@a') },
		];
		const { paid, images, world } = await playBoth(story);
		expect({ paid, images }).toStrictEqual({ paid: 2, images: [[0], [1]] });
		expect(world.executions.flatMap(({ said }) => said).join()).not.toMatch(/have been charged/);
	});
});

describe('n8n is killed', () => {
	it('lets the next run have what was bought, once n8n has noticed', async () => {
		const slow = { steps: [{ kind: 'write', ms: 10 * MINUTE } as const] };
		const story: Happening[] = [
			{ at: 0, workflow: slow, wishes: ROW },
			{ at: MINUTE, kill: 0, notice: 'restart' },
			{ at: 5 * MINUTE, wishes: ROW },
		];
		expect(await play(story, { hasLog: true })).toMatchObject({ paid: 1 });
	});

	it('says once that a request may have been charged whose answer nobody has heard', async () => {
		const story: Happening[] = [
			{ at: 0, wishes: ROW },
			{ at: 5 * SECOND, kill: 0, notice: 'restart' },
			{ at: 5 * MINUTE, wishes: ROW },
			{ at: HOUR, wishes: ROW },
		];
		const { world, paid } = await play(story, { ...service(60), hasLog: true });
		expect(paid).toBe(3);
		const said = world.executions.map((each) => /may have been charged/.test(each.said.join()));
		expect(said).toStrictEqual([false, true, false]);
		const [, second, third] = world.service.charges;
		expect(world.rows).toMatchObject([null, second?.link, third?.link].map((link) => ({ link })));
	});

	it('keeps what was bought before the log was added', async () => {
		const story: Happening[] = [
			{ at: 0, wishes: ROW, failsAt: LATER },
			{ at: MINUTE, change: ({ settings }) => (settings.hasLog = true) },
			{ at: 2 * MINUTE, wishes: wishes('other@b') },
			{ at: HOUR, kill: 0, notice: 'restart' },
			{ at: 2 * HOUR, wishes: ROW },
		];
		expect(await play(story)).toMatchObject({ paid: 2, images: [[0], [1], [0]] });
	});
});

describe('Remove Background', () => {
	it('cuts out what is behind an address again after ten minutes', async () => {
		const updates = [0, 2 * SECOND, 9 * MINUTE, 11 * MINUTE];
		const story = updates.map((at) => ({
			at,
			workflow: FROM_ADDRESS,
			wishes: wishes(`${at}@https://photos.example/1.png`),
		}));
		expect(await playBoth(story, service(10))).toMatchObject({ paid: 2 });
	});

	it("cuts out each of a camera's pictures, which all have one address", async () => {
		const story = every(HOUR, 4, (content) => ({
			workflow: FROM_ADDRESS,
			wishes: [{ name: `shot ${content}`, ask: 'https://photos.example/camera.png', content }],
		}));
		expect(await playBoth(story)).toMatchObject({ paid: 4 });
	});

	it('cuts out a logo once for all rounds of a loop', async () => {
		const rounds = wishes('1@logo', '2@logo', '3@logo', '4@logo', '5@logo');
		const story = [{ at: 0, workflow: { ...CUT_OUT, isLoop: true }, wishes: rounds }];
		expect(await playBoth(story)).toMatchObject({ paid: 1 });
	});

	it('gives a click in the editor what a run that goes on has, or has asked for', async () => {
		const story = [
			{ at: 0, workflow: CUT_OUT, wishes: wishes('a', 'b') },
			{ at: 5 * SECOND, workflow: CUT_OUT, wishes: wishes('1@a', '2@b'), isManual: true },
		];
		const settings = service(3, 'image', ['image', 30 * SECOND]);
		expect(await playBoth(story, settings)).toMatchObject({ paid: 2, ends: ['well', 'well'] });
	});

	it("has a newer image if its own round's is no longer behind its link", async () => {
		const rounds = ['0@a,1@logo', '0@a,1@logo', '0@logo', '0@b,1@logo'];
		const hours = [0, 25, 26, 27];
		const story = rounds.map((names, index) => ({
			at: (hours[index] ?? 0) * HOUR,
			workflow: { ...CUT_OUT, isLoop: true },
			wishes: wishes(...names.split(',')),
		}));
		const images = [[0, 1], [2, 3], [3], [4, 3]];
		expect(await playBoth(story, { linkLife: 20 * HOUR })).toMatchObject({ paid: 5, images });
	});
});

describe('Reuse Images: Always', () => {
	const always = { reuse: 'always' } as const;

	it('buys each image once for two runs that ask for the same in another order', async () => {
		const all = wishes(...Array.from({ length: 20 }, (_, index) => `image ${index}`));
		const story = [
			{ at: 0, workflow: { ...always, concurrency: 2 }, wishes: all },
			{ at: 3 * SECOND, workflow: { ...always, concurrency: 2 }, wishes: all.toReversed() },
		];
		expect(await playBoth(story, service(8))).toMatchObject({ paid: 20, ends: ['well', 'well'] });
	});

	it('takes the image of a failed run away from nobody', async () => {
		const story = [
			{ at: 0, wishes: ROW, failsAt: LATER },
			{ at: HOUR, workflow: always, wishes: ROW },
			{ at: 2 * HOUR, wishes: ROW },
		];
		expect(await playBoth(story)).toMatchObject({ paid: 1 });
	});

	it('buys an image again once its link has died, and no run fails', async () => {
		const story = every(12 * HOUR, 10, () => ({ workflow: always, wishes: ROW }));
		const { paid, ends } = await playBoth(story, { linkLife: 20 * HOUR });
		expect({ paid, ends }).toStrictEqual({ paid: 5, ends: Array(10).fill('well') });
	});
});

describe('sub-workflows', () => {
	const workflow = { callerTries: 1, concurrency: 1 };
	const six = wishes('a', 'b', 'c', 'd', 'e', 'f');

	it.each<[how: string, start: Partial<Start>, limit: number | undefined]>([
		['Stop', { stopAt: 3 * SECOND }, undefined],
		['a time limit', {}, 3 * SECOND],
	])('end before their next request after %s of their caller', async (_how, start, limit) => {
		// Both of the next ones are about to go out.
		const both = { ...workflow, concurrency: 2, limit };
		const story = [{ at: 0, workflow: both, wishes: six, ...start }];
		expect(await playBoth(story, service(5))).toMatchObject({ paid: 2 });
	});

	it.each<[what: string, from: number, to: number, paid: number]>([
		['end nevertheless if n8n has not answered at first', 0, 2, 1],
		['go on while n8n does not answer, and end then', 4, 18, 4],
	])('%s', async (_what, from, to, paid) => {
		const outage = { from: from * SECOND, to: to * SECOND };
		const story: Happening[] = [
			{ at: 0, change: ({ outages }) => outages.push(outage) },
			{ at: 0, workflow, wishes: six, stopAt: 3 * SECOND },
		];
		expect(await play(story, service(5))).toMatchObject({ paid });
	});

	it('lets the next try of a caller have what the tries before it bought', async () => {
		const story = [
			{ at: 0, workflow: { callerTries: 3 }, wishes: wishes('a', 'b'), failedCalls: 2 },
		];
		expect(await playBoth(story)).toMatchObject({ paid: 2, ends: ['well'] });
	});

	it('lets the next call have what a caller failed with in a later node of its own', async () => {
		const workflow = { callerTries: 1, steps: [] };
		const story = every(HOUR, 24, () => ({ workflow, wishes: ROW, failsAt: LATER }));
		expect(await playBoth(story)).toMatchObject({ paid: 1 });
	});
});

describe('a gate rejects pictures with Stop And Error', () => {
	it('buys another picture for each of five tries of a caller', async () => {
		const workflow = { steps: GATE, rejects: 1, callerTries: 5 };
		expect(await playBoth([{ at: 0, workflow, wishes: ROW }])).toMatchObject({ paid: 5 });
	});
});

describe('circles', () => {
	it('refuses a request that twenty executions have bought within an hour', async () => {
		const story = every(5 * SECOND, 40, () => ({ workflow: EDIT, wishes: wishes('record@a') }));
		const { paid, ends, world } = await play(story);
		expect({ paid, refused: ends.filter((end) => end === 'failed').length }).toStrictEqual({
			paid: 20,
			refused: 20,
		});
		expect(world.executions.at(-1)?.said.join()).toMatch(
			/This workflow seems to trigger itself: 20 executions .* If it is meant, set 'Max Images per Day'/,
		);
	});

	it.each<[what: string, ms: number, start: Partial<Start>, workflow: Partial<Workflow>]>([
		['a fixed prompt every five minutes', 5 * MINUTE, {}, { isFixed: true }],
		['30 clicks in the editor', SECOND, { isManual: true }, { reuse: 'never' }],
		['30 rounds of a loop, twice', 10 * MINUTE, { wishes: THIRTY }, { isLoop: true }],
		['30 different images', SECOND, {}, { copies: 1 }],
	])('allows %s', async (what, ms, start, workflow) => {
		const isSame = what !== '30 different images';
		const story = every(ms, 'wishes' in start ? 2 : 30, (turn) => ({
			workflow,
			wishes: wishes(isSame ? `turn ${turn}@a` : `image ${turn}`),
			...start,
		}));
		const last = { at: 30 * ms, wishes: wishes('last@a') };
		const { ends } = await play([...story, last]);
		expect(new Set(ends)).toStrictEqual(new Set(['well']));
	});

	it('allows more than twenty with Max Images per Day, because that says how many are meant', async () => {
		const story = every(SECOND, 30, () => ({ workflow: { dayLimit: 50 }, wishes: ROW }));
		expect(await play(story)).toMatchObject({ paid: 30, ends: Array(30).fill('well') });
	});

	const results = ['photo', 'charge 0', 'charge 1'];
	const turns = (ms: number, workflow: Partial<Workflow> = {}) =>
		results.map((ask, turn) => ({
			at: turn * ms,
			workflow: { ...EDIT, ...workflow },
			wishes: wishes(`turn ${turn}@${ask}`),
		}));

	it('refuses the result of a result', async () => {
		expect(await playBoth(turns(MINUTE))).toMatchObject({
			paid: 2,
			ends: ['well', 'well', 'failed'],
		});
	});

	it('works on the result of a result after a day, and in the rounds of one loop', async () => {
		expect(await playBoth(turns(25 * HOUR))).toMatchObject({ paid: 3 });
		const rounds = wishes(...results.map((ask, round) => `round ${round}@${ask}`));
		const loop = [{ at: 0, workflow: { ...EDIT, isLoop: true }, wishes: rounds }];
		expect(await playBoth(loop)).toMatchObject({ paid: 3, ends: ['well'] });
	});
});

describe('Concurrency', () => {
	it.each([2, 5])('of %i lets so many requests run at once, also of one item', async (most) => {
		const story = [{ at: 0, workflow: { copies: 12, concurrency: most }, wishes: ROW }];
		const { world } = await playBoth(story);
		const { charges } = world.service;
		const atOnce = charges.map(
			({ at }) => charges.filter((each) => each.at <= at && each.answeredAt > at).length,
		);
		expect(Math.max(...atOnce)).toBe(most);
	});

	it('lets no slow image hold up the others, and keeps the order of the items', async () => {
		const eight = wishes('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
		const story = [{ at: 0, workflow: { concurrency: 3 }, wishes: eight }];
		const script = service(1, ['image', 60 * SECOND], ['image', 50 * SECOND]);
		const { world } = await playBoth(story, script);
		const answered = world.service.charges.toSorted((a, b) => a.answeredAt - b.answeredAt);
		expect(answered.map(({ ask }) => ask).join('')).toBe('cdefghba');
		expect([...(world.executions[0]?.pictures.keys() ?? [])].join('')).toBe('abcdefgh');
	});
});

describe('limits', () => {
	it.each([false, true])(
		'buys for two of eight webhooks at once if the day has two places left, and refuses the others at once (log: %s)',
		async (hasLog) => {
			const story = every(10, 8, (index) => ({
				workflow: { dayLimit: 2 },
				wishes: wishes(`order ${index}`),
			}));
			const { paid, ends, world } = await play(story, { hasLog });
			expect({ paid, well: ends.filter((end) => end === 'well').length }).toStrictEqual({
				paid: 2,
				well: 2,
			});
			const lastEnd = Math.max(...world.executions.map(({ endedAt }) => endedAt));
			expect(lastEnd).toBeLessThan(10 * SECOND);
		},
	);

	it.each<[what: string, limit: number, hours: number, script: Fate[], end: string]>([
		['refuses the second image of a day with one place', 1, 23, [], 'failed'],
		['allows it with two', 2, 23, [], 'well'],
		['allows it once the first is a day old', 1, 25, [], 'well'],
		['allows it if the service refused the first', 1, 1, ['refused'], 'well'],
		['refuses it if the first may have been charged', 1, 1, ['charged'], 'failed'],
	])('%s', async (_what, dayLimit, hours, script, end) => {
		const workflow = { dayLimit };
		const story = [0, hours * HOUR].map((at) => ({ at, workflow, wishes: ROW }));
		const { ends } = await playBoth(story, service(3, ...script));
		expect(ends[1]).toBe(end);
	});

	it('needs no place for the image of a failed run', async () => {
		const workflow = { dayLimit: 1 };
		const story = [
			{ at: 0, workflow, wishes: ROW, failsAt: LATER },
			{ at: HOUR, workflow, wishes: ROW },
		];
		expect(await playBoth(story)).toMatchObject({ paid: 1, ends: ['failed', 'well'] });
	});

	it('needs no place for what is there, although the limit was set later, and lower', async () => {
		const rows = wishes('row 1@a', 'row 2@b', 'row 3@c');
		const story = [
			{ at: 0, wishes: rows, isManual: true },
			{ at: MINUTE, wishes: rows, isManual: true, workflow: { dayLimit: 2 } },
		];
		expect(await playBoth(story)).toMatchObject({ paid: 3, ends: ['well', 'well'] });
	});

	it('counts what other workers bought if there is a log', async () => {
		const story = [0, 1].map((process) => ({
			at: process * HOUR,
			process,
			workflow: { dayLimit: 1 },
			wishes: ROW,
		}));
		const { ends } = await play(story, { hasLog: true, processes: 2 });
		expect(ends).toStrictEqual(['well', 'failed']);
	});
});
