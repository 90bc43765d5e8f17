import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

import { settle } from '../../failures/failures';
import type { PurchaseTable } from '../table/purchaseTable';
import { Lease } from './lease';
import { Sightings } from './sightings';
import { StoredExecutions } from './storedExecutions';
import { TableWriter } from './tableWriter';

/** What a process knows of one table, and has to do there. */
export interface TableState {
	/** The process's own row in it. */
	lease: Lease;
	/** What it has seen of other processes there. */
	sightings: Sightings;
	/** What it has to write there. */
	writer: TableWriter;
}

/** An n8n process, as far as it runs one workflow: each workflow of it has one of these. */
export class PurchasingProcess {
	/** Its runs that have not ended, and what is aborted when they are stopped. */
	readonly runs = new Map<string, AbortSignal>();

	/** By the table's name. */
	readonly #tables = new Map<string, TableState>();

	/** @param name Unique, and no number. Begins the names of its runs. */
	constructor(
		readonly name: string,
		/** What n8n has said of executions. */
		readonly executions = new StoredExecutions(),
	) {}

	/** Milliseconds. Unlike the time of day, it is never set back. */
	now(): number {
		return performance.now();
	}

	/** The time of day, in milliseconds. */
	timeOfDay(): number {
		return Date.now();
	}

	/** Resolves early if the signal is aborted, but not on n8n 1.123, whose `sleep` ignores it. */
	async wait(ms: number, signal?: AbortSignal): Promise<void> {
		await settle(sleep(ms, signal));
	}

	/** Whether one of its own runs goes on. After Stop a run is over, even if it still winds up. */
	isLive(run: string): boolean {
		return this.runs.get(run)?.aborted === false;
	}

	/** What it knows of a table, from the first call on. */
	stateOf({ name }: PurchaseTable): TableState {
		const known = this.#tables.get(name) ?? {
			lease: new Lease(this),
			sightings: new Sightings(),
			writer: new TableWriter(),
		};
		this.#tables.set(name, known);
		return known;
	}

	/** A run is over. */
	end(run: string): void {
		this.runs.delete(run);
		for (const { lease } of this.#tables.values()) lease.forget(run);
	}
}

const executions = new StoredExecutions();

/** By the workflow's id. */
const processes = new Map<string, PurchasingProcess>();

/**
 * The process that this code runs in. A workflow has one of its own, so that no other one keeps up the lease of what
 * this one still has to write.
 * @param workflow The workflow's id.
 */
export function thisProcess(workflow: string): PurchasingProcess {
	const name = `p${randomUUID().slice(0, 8)}`;
	const known = processes.get(workflow) ?? new PurchasingProcess(name, executions);
	processes.set(workflow, known);
	return known;
}
