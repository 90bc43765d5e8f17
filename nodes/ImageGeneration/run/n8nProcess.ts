import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

import { ActiveRates } from '../buy/rateLimiter';
import { settle } from '../failures/failures';
import { MadeImages } from '../plan/madeImages';
import { Announcements } from '../recall/announcements';
import { Journal } from '../recall/journal';
import { Words } from '../recall/judge';
import { Tables } from '../recall/log/dataTable';
import { PendingWrites } from '../recall/log/purchaseLog';
import { PurchaseTimes } from '../recall/purchaseTimes';
import { wait } from '../wait';

const MOST_EXECUTIONS = 1000;

/** The memory of an n8n process. */
export class N8nProcess {
	/** n8n's final words on executions. */
	readonly words = new Words();

	readonly journal = new Journal((execution) => this.words.get(execution) === 'ended well');

	/** The rates that accounts have been found to allow. */
	readonly rates = new ActiveRates();

	readonly announcements = new Announcements();

	readonly underWay = new Set<string>();

	readonly awaited = new Map<string, Promise<unknown>>();

	readonly purchaseTimes = new PurchaseTimes();

	readonly tables = new Tables();

	readonly made = new MadeImages();

	readonly #warnedNodes = new Set<string>();

	readonly #used = new Map<string, Set<string>>();

	readonly #pendingWrites = new Map<string, PendingWrites>();

	/** @param name Unique. Begins the names of its runs. */
	constructor(readonly name = `p${randomUUID().slice(0, 8)}`) {}

	/** The writes that a table still needs. @param key Identifies the table in this process. */
	pendingWritesOf(key: string): PendingWrites {
		const known = this.#pendingWrites.get(key) ?? new PendingWrites();
		this.#pendingWrites.set(key, known);
		return known;
	}

	/** The entries that the node's runs in an execution have used, also before it paused. */
	usedIn(execution: string): Set<string> {
		const used = this.#used.get(execution) ?? new Set<string>();
		if (execution === '') return used;
		this.#used.delete(execution);
		this.#used.set(execution, used);
		for (const oldest of [...this.#used.keys()].slice(0, -MOST_EXECUTIONS)) {
			this.#used.delete(oldest);
		}
		return used;
	}

	/** Whether a node has not said yet that it forgets what it bought when n8n restarts. From now on it has. */
	warnOnce(node: string): boolean {
		const isFirst = !this.#warnedNodes.has(node);
		this.#warnedNodes.add(node);
		return isFirst;
	}

	/** A name for a run of this process. */
	nameRun(): string {
		return `${this.name}.${randomUUID()}`;
	}

	/** Milliseconds since 1970. */
	timeOfDay(): number {
		return Date.now();
	}

	/** Milliseconds. Unlike the time of day, it is never set back. */
	now(): number {
		return performance.now();
	}

	/** Resolves early if the signal is aborted. */
	async wait(ms: number, signal?: AbortSignal): Promise<void> {
		await settle(signal === undefined ? sleep(ms) : wait(ms, signal));
	}
}

/** The process that this code runs in. */
export const thisProcess = new N8nProcess();
