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
			unsent: chance.is(0.2) ? 0.1 : 0,
			hangs: chance.is(0.06) ? 0.3 : 0,
			linkLife: chance.is(0.12) ? chance.pick(20 * HOUR, 30 * HOUR) : Infinity,
			table: {
				latency: chance.pick(100, 200, 500),
				failures: chance.is(0.1) ? 0.05 : 0,
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
			const notice = chance.pick<'restart' | 'queue' | 'never'>(
				'restart',
				'restart',
				'queue',
				'never',
			);
			world.at(at, () => world.kill(chance.whole(0, 2), notice));
		}
		if (chance.is(0.03)) {
			const ms = chance.pick(3 * SECOND, 20 * SECOND);
			world.outages.push({ from: at, to: at + ms });
		}
	}
}

/** How often something happens, and what. */
const KINDS: Record<string, readonly [share: number, (life: Life) => void]> = {
	// Rows of a sheet, which the workflow takes up until each has its picture; now and then a person looks into it.
	sheet: [
		40,
		(life) => {
			const { chance, workflow } = life;
			workflow.isLoop = chance.is(0.35);
			if (chance.is(0.15)) {
				workflow.callerTries = chance.pick(1, 1, 3);
				workflow.limit = undefined;
			}
			workflow.operation = chance.pick(
				'generate',
				'generate',
				'generate',
				'edit',
				'removeBackground',
			);
			workflow.isByAddress = workflow.operation !== 'generate' && chance.is(0.4);
			const hasCopies = !workflow.isLoop && workflow.operation !== 'removeBackground';
			if (hasCopies && chance.is(0.1)) workflow.copies = 2;
			const rows: Wish[] = [];
			const add = () => {
				const index = rows.length;
				const twin = chance.is(0.1) ? chance.pick<Wish | undefined>(...rows)?.ask : undefined;
				const fresh = workflow.isByAddress
					? `https://photos.example/${index}.png`
					: `title ${index}`;
				rows.push({ name: `row ${index}`, ask: twin ?? fresh });
			};
			for (let count = chance.whole(2, 5); count > 0; count--) add();
			const gap = chance.pick(5 * MINUTE, 15 * MINUTE, HOUR, HOUR, DAY, DAY);
			const isLookedInto = workflow.callerTries === 0 && chance.is(0.15);
			const runs = chance.whole(4, 6);
			for (let run = 0; run < runs; run++) {
				const isLast = run >= runs - 2;
				const failsAt = isLast ? undefined : life.failure(1, workflow.isLoop ? 3 : 1);
				const failedCalls = chance.is(0.2) ? chance.whole(1, 2) : 0;
				const start = (more: Partial<Start>) => () => {
					const wishes = life.open(rows)?.slice(0, 6);
					return wishes && { wishes, ...more, ...(isLast && { stopAt: undefined }) };
				};
				life.start(run * gap + chance.between(0, 10 * SECOND), () => {
					if (chance.is(0.3)) add();
					return start({ failsAt, failedCalls })();
				});
				if (!isLookedInto || chance.is(0.4)) continue;
				const reuse = chance.pick(undefined, undefined, 'always' as const, 'never' as const);
				life.start(run * gap + gap / 2, start({ isManual: true }), { steps: [], reuse });
			}
		},
	],
	// Visitors send a form, now and then twice, or again if nothing came; sometimes all want the same.
	form: [
		24,
		(life) => {
			const { chance, workflow } = life;
			workflow.steps = POST_THEN_STORE;
			workflow.operation = chance.pick('generate', 'generate', 'edit');
			const popular = chance.rarely(0.1, () => 'a random avatar');
			const asks: string[] = [];
			let at = 0;
			for (let visitor = 0; visitor < chance.whole(5, 8); visitor++) {
				at += chance.between(5 * SECOND, chance.is(0.5) ? MINUTE : 3 * HOUR);
				const isKnown = workflow.operation === 'generate' && asks.length > 0 && chance.is(0.15);
				const ask = popular ?? (isKnown ? chance.pick(...asks) : `wish ${visitor}`);
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
	// Somebody builds a workflow, also with a node and its copy, clicks, wants another picture, and publishes it.
	build: [
		22,
		(life) => {
			const { chance, workflow } = life;
			workflow.isFixed = chance.is(0.4);
			workflow.isLoop = chance.is(0.3);
			workflow.reuse = chance.rarely(0.1, () => 'always');
			if (chance.is(0.2)) {
				workflow.nodes = ['Image Generation', 'Image Generation1'];
				workflow.tries = 1;
				workflow.reuse = undefined;
			}
			const rows = Array.from({ length: chance.pick(1, 1, 2, 3) }, (_, index) => ({
				name: `test ${index}`,
				ask: workflow.isFixed ? 'the same' : `title ${index}`,
			}));
			const renamed = (prefix: string) =>
				rows.map(({ name, ask }) => ({ name: `${prefix} ${name}`, ask }));
			const rounds = workflow.isLoop ? rows.length : 1;
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
						failsAt: isWhole ? life.failure(1, rounds, 0.4) : undefined,
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
	// Photos of products, some in several items and several runs; behind a camera's address is another one each time.
	'cut-outs': [
		14,
		(life) => {
			const { chance, workflow } = life;
			workflow.operation = 'removeBackground';
			workflow.isByAddress = chance.is(0.5);
			workflow.isLoop = chance.is(0.2);
			workflow.steps = [{ kind: 'post', ms: SECOND }];
			const isCamera = workflow.isByAddress && chance.is(0.2);
			if (isCamera) {
				workflow.operation = chance.pick('removeBackground', 'edit');
				workflow.reuse = undefined;
			}
			let content = 0;
			let at = 0;
			for (let run = 0; run < 6; run++) {
				at +=
					!isCamera && chance.is(0.4)
						? chance.between(SECOND, 15 * SECOND)
						: chance.between(5 * MINUTE, chance.is(0.5) ? HOUR : 30 * HOUR);
				if (isCamera || chance.is(0.05)) content++;
				const wishes = Array.from({ length: isCamera ? 1 : chance.whole(1, 3) }, (_, index) => {
					const photo = isCamera ? 0 : chance.whole(0, 3);
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
export function randomLife(seed: number): { world: World; kind: string } {
	const life = new Life(seed);
	const kinds = Object.entries(KINDS).flatMap(([kind, [share, plan]]) =>
		Array.from({ length: share }, () => ({ kind, plan })),
	);
	const { kind, plan } = life.chance.pick(...kinds);
	plan(life);
	life.trouble();
	return { world: life.world, kind };
}
