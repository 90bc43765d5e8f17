import { atEnd } from '../../scripts/tools/ending.mjs';
import type { Closer } from '../../test/e2e/support/testedN8n.mjs';
import type { Case, Goal, StartPart } from '../part.mjs';
import { startService } from '../startService.mjs';
import { WholeN8n, type NodeOptions, type WholeRun } from '../WholeN8n.mjs';

/** A paid image takes this long at least. */
const SECONDS = 5;
/** How many groups of images are processed at once, one after the other. */
const GROUPS = 10;
const FEW_ITEMS = 5;
/** How many rows of other executions a log has: none, those of a test, and those of a year with 140 images a day. */
const SIZES = [0, 100, 10_000, 50_000];
/** Images of a run with such a log: so many, so many at once. */
const RUNS = [
	{ items: 20, concurrency: 1 },
	{ items: 100, concurrency: 25 },
];

/** A workflow to measure. */
interface Flow {
	name: string;
	/** URL of the service. */
	service: string;
	items: number;
	options: NodeOptions;
	/** How many rows of other executions its Purchase Log has. */
	rows?: number;
}

/** What a Purchase Log costs, in a whole n8n with SQLite. */
export const purchaseLog: StartPart = async (lab) => {
	const closers: Closer[] = [];
	const end = async () => {
		for (const close of closers.splice(0).reverse()) await close();
	};
	atEnd(end);
	const slow = await startService(SECONDS * 1000);
	const fast = await startService(0);
	closers.push(slow.stop, fast.stop);
	const builds = [lab.packed.folder, lab.other].filter((build) => build !== undefined);
	const startAll = async (id: string): Promise<Map<string, WholeN8n>> => {
		const n8ns = new Map<string, WholeN8n>();
		for (const build of builds) n8ns.set(build, await WholeN8n.start(lab, build, closers, id));
		return n8ns;
	};
	const caseOf = async (n8ns: Map<string, WholeN8n>, flow: Flow): Promise<Case> => {
		const runs = new Map<string, () => Promise<WholeRun>>();
		for (const [build, n8n] of n8ns) runs.set(build, await prepare(n8n, flow));
		return {
			name: flow.name,
			isOurs: true,
			measure: async (build) => {
				const run = await runs.get(build)?.();
				return [run?.seconds, run?.busy];
			},
		};
	};
	const first = await startAll('');
	const slowCase = async (concurrency: number, log: boolean) =>
		await caseOf(first, {
			name: `${concurrency} at once${log ? ', with a log' : ''}`,
			service: slow.url,
			items: GROUPS * concurrency,
			options: { concurrency, purchaseLog: log },
		});
	const few = { without: await slowCase(5, false), with: await slowCase(5, true) };
	const many = { without: await slowCase(25, false), with: await slowCase(25, true) };
	const filled: Case[][] = [];
	for (const rows of SIZES) {
		// One n8n for each size, because n8n adds up the sizes of all its tables with each write (2.41.1).
		const n8ns = rows === 0 ? first : await startAll(`-${rows}`);
		const cases: Case[] = [];
		for (const { items, concurrency } of RUNS) {
			const name = `${items} images, ${concurrency} at once, ${rows} rows`;
			const options = { concurrency, purchaseLog: true };
			cases.push(await caseOf(n8ns, { name, service: fast.url, items, options, rows }));
		}
		filled.push(cases);
	}
	const [empty = []] = filled;
	const largest = filled.at(-1) ?? [];
	const isRarelyBusy = (of: Case): Goal => ({ of, figure: 1, max: 50 });
	return {
		title: '(g) A Purchase Log',
		about:
			`In a whole n8n with SQLite, with different images of 1 kB. The service takes ${SECONDS} s for each, ` +
			`and there are ${GROUPS} times as many as are processed at once; it responds at once where the ` +
			`log has rows of other executions. n8n's main thread also serves its editor and webhooks, which ` +
			'wait while it is busy.',
		head: '',
		figures: [
			{ name: 'Seconds', digits: 2 },
			{ name: 'Longest ms busy', digits: 0 },
		],
		cases: [few.without, few.with, many.without, many.with, ...filled.flat()],
		goals: [
			{ of: few.with, figure: 0, to: few.without, max: 1.05 },
			{ of: many.with, figure: 0, to: many.without, max: 1.05 },
			...largest.flatMap((of, index): Goal[] => {
				const to = empty[index];
				return to === undefined ? [] : [{ of, figure: 0, to, max: 1.5 }];
			}),
			...[few.with, many.with, ...largest].map(isRarelyBusy),
		],
		end,
	};
};

/** Publishes a workflow and runs it with a few images, so that all code is loaded and the table is there. */
async function prepare(n8n: WholeN8n, flow: Flow): Promise<() => Promise<WholeRun>> {
	const path = flow.name.replace(/\W+/g, '-');
	const { purchaseLog: log, ...options } = flow.options;
	const own = log === true ? { ...options, purchaseLog: path } : options;
	const run = await n8n.publish(path, flow.service, flow.items, own);
	await run(FEW_ITEMS);
	if (flow.rows !== undefined && flow.rows > 0) await n8n.fill(path, flow.rows);
	return async () => await run(flow.items);
}
