import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../../scripts/tools/ending.mjs';
import type { Closer } from '../../test/support/wholeN8n/testedN8n.mjs';
import type { Case, Goal, StartPart } from '../part.mjs';
import { startImages } from '../startImages.mjs';
import { startService } from '../startService.mjs';
import { WholeN8n } from '../WholeN8n.mjs';

/** A paid image takes so long. */
const SECONDS = 5;
/** The shortest that a paid image may take. */
const SHORTEST_SECONDS = 1;
/** How many groups of images are processed at once, one after the other. */
const GROUPS = 5;
const FEW_ITEMS = 5;
const SMALL = 1000;
const PHOTO = 5_000_000;
/** How many rows of other executions a log has: none, and those of a year with 140 images a day. */
const SIZES = [0, 50_000];
/** Images of a run with such a log: so many, so many at once. */
const RUNS = [
	{ items: 10, concurrency: 1 },
	{ items: 50, concurrency: 25 },
];
/** How many workflows wait for the service, and for how many seconds that is watched. */
const WAITING = 20;
const WATCHED_SECONDS = 20;
/** How many seconds until all of them wait. */
const BEGIN_SECONDS = 5;

/** A workflow to measure. */
interface Flow {
	name: string;
	/** URL of the service. */
	service: string;
	items: number;
	/** Size of each image. */
	bytes: number;
	concurrency: number;
	log: boolean;
	/** How many rows of other executions its Purchase Log has. */
	rows: number;
}

/** What a Purchase Log costs, in a whole n8n with SQLite. */
export const purchaseLog: StartPart = async (lab) => {
	const closers: Closer[] = [];
	const end = async () => {
		for (const close of closers.splice(0).reverse()) await close();
	};
	atEnd(end);
	const images = await startImages();
	const slow = await startService(SECONDS * 1000);
	const quick = await startService(SHORTEST_SECONDS * 1000);
	const slowest = await startService((BEGIN_SECONDS + WATCHED_SECONDS + SECONDS) * 1000);
	closers.push(images.stop, slow.stop, quick.stop, slowest.stop);
	const builds = [lab.packed.folder, lab.other].filter((build) => build !== undefined);
	const startAll = async (id: string): Promise<Map<string, WholeN8n>> => {
		const n8ns = new Map<string, WholeN8n>();
		for (const build of builds) n8ns.set(build, await WholeN8n.start(lab, build, closers, id));
		return n8ns;
	};

	/** Publishes a workflow and runs it with a few images, so that all code is loaded and the table is there. */
	const prepare = async (n8n: WholeN8n, flow: Flow) => {
		const { name, service, items, bytes, concurrency, log, rows } = flow;
		const path = name.replace(/\W+/g, '-');
		let runs = 0;
		// Each run has others: the service returns them unchanged, so that the node would take them for its own results.
		const urls = () => images.urls(`${path}/${runs++}`, bytes, items);
		const options = { concurrency, reuse: 'never', ...(log && { purchaseLog: path }) };
		const published = await n8n.publish(path, service, options);
		await published.run(urls().slice(0, FEW_ITEMS));
		if (rows > 0) await n8n.fill(path, rows);
		return async () => await published.run(urls());
	};
	const runningCase = async (n8ns: Map<string, WholeN8n>, flow: Flow): Promise<Case> => {
		const runs = new Map<string, Awaited<ReturnType<typeof prepare>>>();
		for (const [build, n8n] of n8ns) runs.set(build, await prepare(n8n, flow));
		return {
			name: flow.name,
			isOurs: true,
			measure: async (build) => {
				const run = await runs.get(build)?.();
				return [run?.seconds, run?.busy, undefined];
			},
		};
	};
	/** Workflows of one image each, which all wait for the slowest service. */
	const waitingCase = async (n8ns: Map<string, WholeN8n>, log: boolean): Promise<Case> => {
		const name = `${WAITING} workflows that wait${log ? ', with a log' : ''}`;
		const options = { reuse: 'never', ...(log && { purchaseLog: 'waiting' }) };
		const starts = new Map<string, Array<() => Promise<void>>>();
		for (const [build, n8n] of n8ns) {
			const own: Array<() => Promise<void>> = [];
			for (let number = 0; number < WAITING; number++) {
				const path = `${name.replace(/\W+/g, '-')}-${number}`;
				const published = await n8n.publish(path, slowest.url, options);
				let runs = 0;
				own.push(async () => await published.start(images.urls(`${path}/${runs++}`, SMALL, 1)));
			}
			// Makes the table.
			await own[0]?.();
			starts.set(build, own);
		}
		return {
			name,
			isOurs: true,
			measure: async (build) => {
				const started = Promise.all((starts.get(build) ?? []).map(async (start) => await start()));
				await sleep(BEGIN_SECONDS * 1000);
				const share = await n8ns.get(build)?.shareOfCore(WATCHED_SECONDS);
				await started;
				return [undefined, undefined, share === undefined ? undefined : share * 100];
			},
		};
	};

	const first = await startAll('');
	/** The case of a slow service, without a log and with one. */
	const pairOf = async (what: string, flow: Pick<Flow, 'items' | 'bytes' | 'concurrency'>) => {
		const common = { ...flow, service: slow.url, rows: 0 };
		return {
			without: await runningCase(first, { ...common, name: what, log: false }),
			with: await runningCase(first, { ...common, name: `${what}, with a log`, log: true }),
		};
	};
	const few = await pairOf('5 at once', { items: GROUPS * 5, bytes: SMALL, concurrency: 5 });
	const many = await pairOf('25 at once', { items: GROUPS * 25, bytes: SMALL, concurrency: 25 });
	const photos = await pairOf('20 photos of 5 MB, 5 at once', {
		items: 20,
		bytes: PHOTO,
		concurrency: 5,
	});
	const filled: Case[][] = [];
	for (const rows of SIZES) {
		// One n8n for each size, because n8n adds up the sizes of all its tables with each write (2.41.1).
		const n8ns = rows === 0 ? first : await startAll(`-${rows}`);
		const cases: Case[] = [];
		for (const { items, concurrency } of RUNS) {
			const name = `${items} images, ${concurrency} at once, ${rows} rows`;
			const flow = { name, service: quick.url, items, bytes: SMALL, concurrency, log: true, rows };
			cases.push(await runningCase(n8ns, flow));
		}
		filled.push(cases);
	}
	const waiting = {
		without: await waitingCase(first, false),
		with: await waitingCase(first, true),
	};
	const [empty = []] = filled;
	const largest = filled.at(-1) ?? [];
	const pairs = [few, many, photos];
	const isRarelyBusy = (of: Case): Goal => ({ of, figure: 1, max: 50 });
	return {
		title: '(g) A Purchase Log',
		about:
			`In a whole n8n with SQLite, with images of 1 kB. The service takes ${SECONDS} s for each, and there are ` +
			`${GROUPS} times as many as are processed at once; where the log has rows of other executions, it ` +
			`takes ${SHORTEST_SECONDS} s. Before each write n8n adds up the sizes of all its tables (2.41.1), which ` +
			`takes longer the more rows there are. While n8n's main thread is busy, its editor and webhooks wait. The last column is ` +
			`what n8n's main process uses for ${WATCHED_SECONDS} s in which ${WAITING} workflows wait for the service.`,
		head: '',
		figures: [
			{ name: 'Seconds', digits: 2 },
			{ name: 'Longest ms busy', digits: 0 },
			{ name: '% of a core', digits: 1 },
		],
		cases: [
			...pairs.flatMap((pair) => [pair.without, pair.with]),
			...filled.flat(),
			waiting.without,
			waiting.with,
		],
		goals: [
			...pairs.map((pair): Goal => ({ of: pair.with, figure: 0, to: pair.without, max: 1.1 })),
			...largest.flatMap((of, index): Goal[] => {
				const to = empty[index];
				return to === undefined ? [] : [{ of, figure: 0, to, max: 1.5 }];
			}),
			...[few.with, many.with, ...largest].map(isRarelyBusy),
			{ of: waiting.with, figure: 2, to: waiting.without, max: 1 },
		],
		end,
	};
};
