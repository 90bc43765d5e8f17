import type { StoredExecution } from '../../nodes/ImageGeneration/n8n/storedExecution';
import { ExecutionMemory } from '../../nodes/ImageGeneration/recall/executionMemory';
import type { Flight } from '../../nodes/ImageGeneration/recall/journal';
import { Judge } from '../../nodes/ImageGeneration/recall/judge';
import { NodeRun } from '../../nodes/ImageGeneration/recall/nodeRun';
import type { Purchase } from '../../nodes/ImageGeneration/recall/purchase';
import type { PurchaseLog } from '../../nodes/ImageGeneration/recall/purchaseLog';
import { Purchases } from '../../nodes/ImageGeneration/recall/purchases';
import { Recall, type Policy } from '../../nodes/ImageGeneration/recall/recall';
import { TestClock } from './testClock';

/** What n8n has stored of an execution that ended well. */
const ENDED: StoredExecution = {
	hasError: false,
	isRejected: false,
	hasOutput: true,
	isAllRun: true,
	isRecovered: false,
	waitsUntil: 0,
	parent: '',
};

/** What n8n answers of the executions that hold images, which have these names; nothing of any other. */
const STORED: Record<string, StoredExecution> = {
	'ended well': ENDED,
	failed: { ...ENDED, hasError: true },
	rejected: { ...ENDED, hasError: true, isRejected: true },
};

interface World {
	policy?: Policy;
	isManual?: boolean;
	/** What this process knows. */
	purchases?: Purchase[];
	/** What the Purchase Log lists; undefined without one. */
	rows?: Purchase[];
	/** Links that earlier rounds of the execution have returned. */
	returned?: string[];
}

/** A run of `a node`, round 0 of execution 9, that looks for what is there. */
export function recallingRun({
	policy = 'next run',
	isManual = false,
	purchases: known = [],
	rows,
	returned = [],
}: World = {}) {
	const clock = new TestClock();
	const { journal } = clock.process();
	for (const purchase of known) journal.put(purchase);
	const run = new NodeRun('a node', '9', 0, 0);
	for (const each of [run, new NodeRun('a node', 'live', 0, 0)]) journal.begin(each);
	const asked: string[] = [];
	const reads: Array<{ requests: readonly string[]; since: number }> = [];
	const written: string[] = [];
	const note = (what: string) => async (purchases: readonly Purchase[]) => {
		written.push(...purchases.map(({ holder }) => `${what} ${holder || 'nobody'}`));
		await Promise.resolve();
	};
	const purchaseLog = {
		find: async (requests: readonly string[], since: number) => {
			reads.push({ requests, since });
			return (rows ?? [])
				.filter(({ time }) => time >= since)
				.map((row) => ({ ...row, accounts: [], logged: { table: '1', rowIds: [1] } }));
		},
		has: ({ entry }: Purchase) => rows?.some((row) => row.entry === entry) === true,
		write: note('written for'),
		complete: note('written for'),
		remove: note('removed of'),
		writeWithoutWaiting: note('started to write for'),
		removeWithoutWaiting: note('started to remove of'),
	} as unknown as PurchaseLog;
	const log = rows === undefined ? undefined : purchaseLog;
	const buyer = { accounts: ['an account'], isManual, operation: 'generate', workflow: 'W' };
	const process = {
		journal,
		timeOfDay: () => clock.timeOfDay(),
		wait: async (ms: number, signal?: AbortSignal) => {
			await clock.wait(ms, signal);
		},
	};
	const context = {};
	const memory = new ExecutionMemory(context);
	const purchases = new Purchases(process, run, buyer, policy === 'always', memory, log, () => {});
	const ask = async (id: string) => {
		asked.push(id);
		return await Promise.resolve(STORED[id]);
	};
	const stop = new AbortController();
	const recall = new Recall({
		process,
		policy,
		purchases,
		purchaseLog: log,
		judge: new Judge(process, ask),
		returnedLinks: new Set(returned),
		signal: stop.signal,
	});
	/** A request that is out, of a run that goes on or was stopped. */
	const enter = (purchase: Purchase, flying = new NodeRun('another', 'live', 0, 0)): Flight => {
		const flight = {
			purchase,
			run: flying,
			sentAt: purchase.time,
			settled: new Promise<void>(() => {}),
		};
		journal.put(purchase);
		journal.enter(flight);
		return flight;
	};
	return { clock, journal, run, memory, purchases, recall, asked, reads, written, stop, enter };
}
