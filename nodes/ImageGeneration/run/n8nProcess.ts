import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

import { ActiveRates } from '../buy/rateLimiter';
import { settle } from '../failures/failures';
import type { TableIds } from '../recall/dataTable';
import { Journal } from '../recall/journal';
import { wait } from '../wait';

/** The memory of an n8n process. */
export class N8nProcess {
	readonly journal = new Journal();

	/** The rates that accounts have been found to allow. */
	readonly rates = new ActiveRates();

	readonly tableIds: TableIds = new Map();

	/** A name for a call that n8n gives no execution. */
	nameCall(): string {
		return `call ${randomUUID()}`;
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
