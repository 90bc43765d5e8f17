import { seeded } from '../../support/simulateRequests';
import { DAY, HOUR, MINUTE, SECOND } from './simulation/clock';
import type { SimulatedExecution } from './simulation/executions';
import { PLAIN, type Start, type Step, type Wish, type Workflow } from './simulation/plan';
import { World } from './simulation/world';

/** Chance, by a seed. */
class Chance {
	readonly next: () => number;

	constructor(seed: number) {
		this.next = seeded(seed);
	}

	/** True in a share of the cases. */
	is(share: number): boolean {
		return this.next() < share;
	}

	pick<T>(...all: readonly T[]): T {
		return all[Math.floor(this.next() * all.length)] as T;
	}

	between(least: number, most: number): number {
		return least + this.next() * (most - least);
	}

	whole(least: number, most: number): number {
		return Math.floor(this.between(least, most + 1));
	}

	rarely<T>(share: number, value: () => T): T | undefined {
		return this.is(share) ? value() : undefined;
	}
}

const WRITE: Step = { kind: 'write', ms: 2 * SECOND };
const POST_THEN_STORE: Step[] = [
	{ kind: 'post', ms: SECOND },
	{ kind: 'other', ms: 2 * SECOND },
];

/** One random schedule of ordinary life around one workflow. */
class Life {
	readonly chance: Chance;

	readonly world: World;

	readonly workflow: Workflow;

	constructor(seed: number) {
		this.chance = new Chance(seed * 7919 + 17);
		const { chance } = this;
		this.world = new World({
			seed,
			processes: chance.is(0.2) ? chance.pick(2, 3) : 1,
			hasLog: chance.is(0.5),
			quickest: SECOND / 2,
			slowest: chance.pick(5, 10, 30, 60) * SECOND,
			refused: 0.05,
			unclear: 0.04,
			hangs: chance.is(0.06) ? 0.3 : 0,
			linkLife: chance.is(0.12) ? chance.pick(20 * HOUR, 30 * HOUR) : Infinity,
			table: {
				latency: chance.pick(100, 200, 500),
				failures: chance.is(0.1) ? 0.05 : 0,
				late: chance.is(0.07) ? 0.05 : 0,
			},
		});
		this.workflow = {
			...PLAIN,
			steps: [WRITE],
			tries: chance.is(0.2) ? 3 : 1,
			concurrency: chance.pick(1, 3, 5),
			continues: chance.is(0.15),
			savesFailed: !chance.is(0.04),
			savesWell: !chance.is(0.12),
			limit: chance.rarely(0.05, () => chance.between(15 * SECOND, 2 * MINUTE)),
			reuse: chance.rarely(0.2, () => chance.pick('always', 'always', 'never')),
		};
	}

	/** Starts a workflow at a time; people press Retry, or run it again, after some that did not end well. */
	start(
		at: number,
		start: Start | (() => Start | undefined),
		workflow: Partial<Workflow> = {},
		onEnd: (ended: SimulatedExecution) => void = () => {},
	): void {
		const { chance, world } = this;
		const drawn: Partial<Start> = {
			process: chance.whole(0, 2),
			stopAt: chance.rarely(0.08, () => chance.between(2 * SECOND, 30 * SECOND)),
			retriesAt: chance.is(0.3) ? [chance.between(20 * SECOND, 20 * MINUTE)] : [],
		};
		world.at(at, () => {
			const given = typeof start === 'function' ? start() : start;
			if (given === undefined) return;
			const all = { ...this.workflow, ...workflow };
			void world.start(all, { ...drawn, ...given }).then(onEnd);
		});
	}

	/** A later node fails. */
	failure(steps: number, rounds = 1, share = 0.22): Start['failsAt'] {
		const { chance } = this;
		return chance.rarely(share, () => [chance.whole(0, rounds - 1), chance.whole(0, steps - 1)]);
	}

	/** The wishes that nobody has received yet; undefined if there are none. */
	open(wishes: readonly Wish[]): Wish[] | undefined {
		const open = wishes.filter(({ name }) => !this.world.done.has(name));
		return open.length > 0 ? open : undefined;
	}

	/** What happens to n8n. */
	trouble(): void {
		const { chance, world } = this;
		const span = chance.pick(MINUTE, 10 * MINUTE, 2 * HOUR);
		const at = chance.between(SECOND, span);
		if (chance.is(0.08)) {
			const notice = chance.pick(
				'restart' as const,
				'restart' as const,
				'queue' as const,
				'never' as const,
			);
			world.at(at, () => world.kill(chance.whole(0, 2), notice));
		}
		if (chance.is(0.03)) {
			const ms = chance.pick(3 * SECOND, 20 * SECOND);
			world.outages.push({ from: at, to: at + ms });
		}
		if (chance.is(0.03)) world.at(at, () => world.freeze(0, chance.between(SECOND, MINUTE)));
		if (chance.is(0.03)) {
			world.at(at, () => world.fillTables(20 * SECOND));
		}
	}
}

/** Rows of a sheet, which the workflow takes up until each has its picture. */
function sheet(life: Life, more: Partial<Workflow> = {}): void {
	const { chance, workflow } = life;
	Object.assign(workflow, more);
	workflow.operation = chance.pick('generate', 'generate', 'generate', 'edit', 'removeBackground');
	workflow.isByAddress = workflow.operation !== 'generate' && chance.is(0.4);
	if (!workflow.isLoop && workflow.operation !== 'removeBackground' && chance.is(0.1)) {
		workflow.copies = 2;
	}
	const rows: Wish[] = [];
	const add = () => {
		const index = rows.length;
		const twin = chance.is(0.1) ? chance.pick<Wish | undefined>(...rows)?.ask : undefined;
		const fresh = workflow.isByAddress ? `https://photos.example/${index}.png` : `title ${index}`;
		rows.push({ name: `row ${index}`, ask: twin ?? fresh });
	};
	for (let count = chance.whole(2, 5); count > 0; count--) add();
	const gap = chance.pick(5 * MINUTE, 15 * MINUTE, HOUR, HOUR, DAY, DAY);
	const runs = chance.whole(4, 6);
	for (let run = 0; run < runs; run++) {
		const isLast = run >= runs - 2;
		const failsAt = isLast ? undefined : life.failure(1, workflow.isLoop ? 3 : 1);
		const failedCalls = chance.is(0.2) ? chance.whole(1, 2) : 0;
		life.start(run * gap + chance.between(0, 10 * SECOND), () => {
			if (chance.is(0.3)) add();
			const wishes = life.open(rows)?.slice(0, 6);
			return wishes && { wishes, failsAt, failedCalls, ...(isLast && { stopAt: undefined }) };
		});
	}
}

const KINDS: Record<string, readonly [share: number, (life: Life) => void]> = {
	sheet: [18, sheet],
	'sheet in a loop': [12, (life) => sheet(life, { isLoop: true })],
	'sub-workflow': [
		6,
		(life) => sheet(life, { callerTries: life.chance.pick(1, 1, 3), limit: undefined }),
	],
	'a later node that never works': [
		2,
		(life) => {
			const wishes = [
				{ name: 'row 0', ask: 'title 0' },
				{ name: 'row 1', ask: 'title 1' },
			];
			for (let run = 0; run < 20; run++) life.start(run * HOUR, { wishes, failsAt: [0, 0] });
		},
	],
	// Visitors send a form, now and then twice, or again if nothing came.
	form: [
		23,
		(life) => {
			const { chance, workflow } = life;
			workflow.steps = POST_THEN_STORE;
			workflow.operation = chance.pick('generate', 'generate', 'edit');
			const asks: string[] = [];
			let at = 0;
			for (let visitor = 0; visitor < chance.whole(5, 8); visitor++) {
				at += chance.between(5 * SECOND, chance.is(0.5) ? MINUTE : 3 * HOUR);
				const isKnown = workflow.operation === 'generate' && asks.length > 0 && chance.is(0.15);
				const ask = isKnown ? chance.pick(...asks) : `wish ${visitor}`;
				asks.push(ask);
				const wishes = [{ name: `visitor ${visitor}`, ask }];
				const again = () => ({ wishes: life.open(wishes) ?? [] });
				const failsAt = life.failure(2);
				life.start(at, { wishes, failsAt }, {}, ({ truth }) => {
					if (truth !== 'well' && chance.is(0.6) && life.open(wishes) !== undefined) {
						life.start(chance.between(2 * SECOND, 3 * MINUTE), again());
					}
				});
				if (chance.is(0.1)) life.start(at + chance.between(SECOND, 20 * SECOND), { wishes });
			}
		},
	],
	// One post a day or an hour, by a typed prompt, or by an expression that gives the same each time.
	daily: [
		13,
		(life) => {
			const { chance, workflow } = life;
			workflow.steps = POST_THEN_STORE;
			workflow.isFixed = chance.is(0.6);
			const gap = chance.pick(5 * MINUTE, HOUR, DAY, DAY);
			for (let day = 0; day < (gap < HOUR ? 18 : 6); day++) {
				const failsAt = day > 3 ? undefined : life.failure(2);
				const wishes = [{ name: `post ${day}`, ask: 'the same' }];
				life.start(day * gap + chance.between(0, 9 * SECOND), { wishes, failsAt });
			}
		},
	],
	// Somebody builds a workflow, clicks, wants another picture, and publishes it.
	build: [
		16,
		(life) => {
			const { chance, workflow } = life;
			workflow.isFixed = chance.is(0.4);
			workflow.isLoop = !workflow.isFixed && chance.is(0.2);
			workflow.reuse = chance.rarely(0.1, () => 'always');
			const rows = Array.from({ length: chance.pick(1, 1, 2, 3) }, (_, index) => ({
				name: `test ${index}`,
				ask: workflow.isFixed ? 'the same' : `title ${index}`,
			}));
			const renamed = (prefix: string) =>
				rows.map(({ name, ask }) => ({ name: `${prefix} ${name}`, ask }));
			let at = 0;
			const clicks = chance.whole(2, 5);
			for (let click = 0; click < clicks; click++) {
				at += chance.between(20 * SECOND, 4 * MINUTE);
				const wantsAnother = click === clicks - 1 && chance.is(0.4);
				const isWhole = chance.is(0.6);
				life.start(
					at,
					{
						wishes: wantsAnother ? renamed('another') : rows,
						isManual: true,
						stopAt: chance.rarely(0.2, () => chance.between(SECOND, 8 * SECOND)),
						failsAt: isWhole ? life.failure(1, 1, 0.4) : undefined,
					},
					{
						steps: isWhole ? [WRITE] : [],
						reuse: wantsAnother ? 'never' : workflow.reuse,
					},
				);
			}
			for (let run = 0; run < 3; run++) {
				const failsAt = run < 2 ? life.failure(1) : undefined;
				life.start(at + 10 * MINUTE + run * HOUR, { wishes: renamed(`live ${run}`), failsAt });
			}
		},
	],
	// Photos of products, some in several items and several runs.
	'cut-outs': [
		10,
		(life) => {
			const { chance, workflow } = life;
			workflow.operation = 'removeBackground';
			workflow.isByAddress = chance.is(0.5);
			workflow.isLoop = chance.is(0.2);
			workflow.steps = [{ kind: 'post', ms: SECOND }];
			let content = 0;
			let at = 0;
			for (let run = 0; run < 6; run++) {
				at += chance.is(0.4)
					? chance.between(SECOND, 15 * SECOND)
					: chance.between(5 * MINUTE, chance.is(0.5) ? HOUR : 30 * HOUR);
				if (chance.is(0.05)) content++;
				const wishes = Array.from({ length: chance.whole(1, 3) }, (_, index) => {
					const photo = chance.whole(0, 3);
					const ask = workflow.isByAddress
						? `https://photos.example/${photo}.png`
						: `photo ${photo} version ${content}`;
					return {
						name: `product ${run} ${index}`,
						ask,
						content: workflow.isByAddress ? content : 0,
					};
				});
				life.start(at, { wishes, failsAt: life.failure(1) });
			}
		},
	],
	camera: [
		2,
		(life) => {
			const { chance, workflow } = life;
			workflow.operation = chance.pick('removeBackground', 'edit');
			workflow.isByAddress = true;
			workflow.reuse = undefined;
			const gap = chance.pick(5 * MINUTE, HOUR);
			for (let content = 0; content < 6; content++) {
				const wish = { name: `shot ${content}`, ask: 'https://photos.example/camera.png', content };
				life.start(content * gap, { wishes: [wish], failsAt: life.failure(1) });
			}
		},
	],
	// An update triggers its own workflow.
	circle: [
		2,
		(life) => {
			const { chance, world } = life;
			life.workflow.operation = chance.pick('generate', 'edit', 'removeBackground');
			const turn = (left: number) =>
				life.start(
					chance.between(2 * SECOND, MINUTE),
					{ wishes: [{ name: 'record', ask: 'the same' }], retriesAt: [] },
					{},
					({ truth }) => {
						if (truth === 'well' && left > 0 && !world.clock.isEndless) turn(left - 1);
					},
				);
			turn(10);
		},
	],
	// A result comes in again: a visitor wants it still brighter, or the workflow triggers itself.
	again: [
		2,
		(life) => {
			const { chance, workflow } = life;
			Object.assign(workflow, { operation: 'edit', reuse: undefined, tries: 1, continues: false });
			const turn = (wish: Wish, left: number) =>
				life.start(
					chance.between(20 * SECOND, 2 * MINUTE),
					{ wishes: [wish], retriesAt: [] },
					{},
					({ truth, pictures }) => {
						const picture = pictures.get(wish.name);
						if (truth !== 'well' || picture === undefined || left === 0) return;
						turn({ name: `${wish.name} again`, ask: `charge ${picture.id}` }, left - 1);
					},
				);
			for (let visitor = 0; visitor < 4; visitor++) {
				turn({ name: `visitor ${visitor}`, ask: `photo ${visitor}` }, chance.whole(0, 4));
			}
		},
	],
	gate: [
		5,
		(life) => {
			const { chance, workflow } = life;
			const kind = chance.pick('gate' as const, 'gate' as const, 'gate below' as const);
			Object.assign(workflow, { reuse: undefined, limit: undefined });
			workflow.rejects = chance.pick(0.3, 0.6);
			workflow.steps = [{ kind, ms: 2 * SECOND }, WRITE];
			if (kind === 'gate' && chance.is(0.4)) workflow.callerTries = 5;
			const rows = Array.from({ length: chance.pick(1, 1, 2) }, (_, index) => ({
				name: `row ${index}`,
				ask: `title ${index}`,
			}));
			const gap = chance.pick(5 * MINUTE, HOUR, DAY);
			for (let run = 0; run < 7; run++) {
				life.start(run * gap, () => {
					const wishes = life.open(rows);
					return wishes && { wishes, stopAt: undefined, retriesAt: [] };
				});
			}
		},
	],
	// Many visitors and one prompt.
	popular: [
		2,
		(life) => {
			const { chance, workflow } = life;
			workflow.reuse = undefined;
			workflow.isFixed = chance.is(0.6);
			workflow.steps = [{ kind: 'post', ms: SECOND }];
			const span = chance.pick(30 * MINUTE, HOUR, 3 * HOUR);
			for (let visitor = 0; visitor < chance.pick(6, 9, 14); visitor++) {
				const wishes = [{ name: `visitor ${visitor}`, ask: 'a random avatar' }];
				life.start(chance.between(0, span), { wishes });
			}
		},
	],
	'the editor clicks through a loop': [
		4,
		(life) => {
			const { chance, workflow } = life;
			workflow.isLoop = true;
			workflow.reuse = chance.rarely(0.15, () => 'always');
			workflow.isFixed = chance.is(0.6);
			const wishes = Array.from({ length: chance.pick(2, 3, 4) }, (_, index) => ({
				name: `round ${index}`,
				ask: workflow.isFixed ? 'the same' : `title ${index}`,
			}));
			for (let click = 0; click < 4; click++) {
				const failsAt = click < 3 ? life.failure(1, wishes.length) : undefined;
				life.start(click * 4 * MINUTE, { wishes, isManual: true, failsAt });
			}
		},
	],
	'a node and its copy': [
		3,
		(life) => {
			const { chance, workflow } = life;
			Object.assign(workflow, { reuse: undefined, tries: 1 });
			workflow.nodes = ['Image Generation', 'Image Generation1'];
			workflow.isFixed = chance.is(0.5);
			const wishes = Array.from({ length: chance.pick(1, 3) }, (_, index) => ({
				name: `row ${index}`,
				ask: workflow.isFixed ? 'the same' : `title ${index}`,
			}));
			for (let click = 0; click < 3; click++) {
				life.start(click * 2 * MINUTE, { wishes, isManual: true });
			}
		},
	],
	'a limit for a day': [
		4,
		(life) => {
			const { chance, workflow } = life;
			workflow.dayLimit = chance.whole(3, 8);
			let at = 0;
			for (let run = 0; run < 8; run++) {
				at += chance.is(0.5) ? chance.between(0, 2 * SECOND) : chance.between(MINUTE, 6 * HOUR);
				const wishes = Array.from({ length: chance.whole(1, 3) }, (_, index) => ({
					name: `order ${run} ${index}`,
					ask: `order ${run} ${index}`,
				}));
				life.start(at, { wishes, failsAt: life.failure(1) });
			}
		},
	],
	// A loop over rows that all have the same logo.
	'one photo in several rounds': [
		2,
		(life) => {
			const { chance, workflow } = life;
			workflow.isLoop = true;
			workflow.operation = chance.pick('removeBackground', 'removeBackground', 'generate');
			workflow.reuse = workflow.operation === 'generate' ? 'always' : undefined;
			for (let run = 0; run < 2; run++) {
				const wishes = Array.from({ length: chance.whole(3, 5) }, (_, index) => ({
					name: `run ${run} row ${index}`,
					ask: `logo ${chance.is(0.7) ? 0 : index}`,
				}));
				life.start(run * HOUR, { wishes, failsAt: life.failure(1, wishes.length) });
			}
		},
	],
	// Nights with rows; after some a person looks into it in the editor.
	nights: [
		4,
		(life) => {
			const { chance, workflow } = life;
			workflow.reuse = chance.rarely(0.3, () => chance.pick('always', 'never'));
			const rows = [0, 1, 2].map((index) => ({ name: `row ${index}`, ask: `title ${index}` }));
			for (let night = 0; night < 6; night++) {
				const failsAt = night < 5 && chance.is(0.6) ? ([0, 0] as const) : undefined;
				life.start(night * DAY, () => {
					const wishes = life.open(rows);
					return wishes && { wishes, failsAt };
				});
				if (chance.is(0.4)) continue;
				life.start(
					night * DAY + 9 * HOUR,
					() => {
						const wishes = life.open(rows);
						return wishes && { wishes, isManual: true };
					},
					{ steps: [], reuse: chance.pick(undefined, undefined, 'always', 'never') },
				);
			}
		},
	],
	// A workflow that waits for a person after each first picture.
	approval: [
		3,
		(life) => {
			const { chance, workflow } = life;
			workflow.isLoop = true;
			workflow.pause = chance.pick(10 * MINUTE, HOUR, 5 * HOUR);
			for (let run = 0; run < 4; run++) {
				const ask = chance.pick('the same', `title ${run}`);
				const wishes = [
					{ name: `draft ${run}`, ask },
					{ name: `final ${run}`, ask: `${ask}, final` },
				];
				life.start(run * 30 * MINUTE, { wishes, failsAt: life.failure(1, 2) });
			}
		},
	],
};

/** Plans a random schedule of ordinary life. @returns the world to play, and what happens in it */
export function randomLife(seed: number, wanted?: string): { world: World; kind: string } {
	const life = new Life(seed);
	const shares = Object.entries(KINDS);
	let drawn = life.chance.next() * shares.reduce((sum, [, [share]]) => sum + share, 0);
	const [kind, [, plan]] = shares.find(([name, [share]]) => {
		drawn -= share;
		return wanted === undefined ? drawn < 0 : name === wanted;
	}) ?? ['sheet', KINDS.sheet ?? [1, sheet]];
	plan(life);
	life.trouble();
	return { world: life.world, kind };
}
