import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { placeName } from '../failures/placeName';
import type { Service } from '../service/service';
import type { Job, JobResult } from '../types';
import { requestKey, storable, type Entry, type Purchases } from './purchases';

/** What identifies the node, its account and its execution. */
export interface NodeInExecution {
	context: Pick<IExecuteFunctions, 'getContext' | 'getWorkflow'>;
	node: Pick<INode, 'id'>;
	service: Pick<Service, 'account'>;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal | undefined;
}

interface Execution {
	/** True from the moment that Stop is pressed, even between two tries of Retry On Fail. */
	isStopped: boolean;
}

interface Purchase {
	owner: string;
	execution: Execution;
	label: string;
	sentAt: number;
	isDelivered: boolean;
	isTold: boolean;
	/** Undefined while its outcome is not known. */
	key?: string | undefined;
	/** As JSON, so that no run can change another's result. */
	json?: string;
}

/** Milliseconds. */
const LONGEST_AGE = 24 * 60 * 60 * 1000;
const MOST_PURCHASES = 1000;

/** By the node's context, which the tries and rounds of an execution share. */
const executions = new WeakMap<object, Execution>();

/** Of all nodes in this n8n process, oldest first: by link, or by itself while it has none. */
const purchases = new Map<unknown, Purchase>();

/**
 * Remembers purchases in this n8n process, for a day and up to 1,000. n8n itself keeps nothing that
 * happens after Stop is pressed, neither the node's output nor the workflow's static data (2.40.3,
 * 1.123.81).
 */
export function processPurchases(run: NodeInExecution): Purchases {
	const owner = ownerOf(run);
	const execution = executionOf(run);
	const own = new Set<Purchase>();
	const keyOf = async ({ request }: Job) => await requestKey(owner, request);

	function start(job: Job): Purchase {
		const label = placeName(job);
		return { owner, execution, label, sentAt: Date.now(), isDelivered: false, isTold: false };
	}

	function remember(id: unknown, purchase: Purchase): void {
		own.add(purchase);
		purchases.set(id, purchase);
		for (const oldest of purchases.keys()) {
			if (purchases.size <= MOST_PURCHASES) return;
			purchases.delete(oldest);
		}
	}

	async function buy(purchase: Purchase, job: Job, result: JobResult): Promise<void> {
		purchase.json = JSON.stringify(storable(result));
		purchases.delete(purchase);
		remember(result.output_url, purchase);
		purchase.key = await keyOf(job);
	}

	async function take(purchase: Purchase): Promise<boolean> {
		const isFree = isAbandoned(purchase);
		if (isFree) own.add(Object.assign(purchase, { execution }));
		return await Promise.resolve(isFree);
	}

	return {
		keyOf,
		find: async () => {
			const oldest = Date.now() - LONGEST_AGE;
			for (const [id, { sentAt }] of purchases) if (sentAt < oldest) purchases.delete(id);
			const others = [...purchases.values()].filter(
				(purchase) => purchase.owner === owner && purchase.execution !== execution,
			);
			return await Promise.resolve(
				others.map((purchase): Entry => {
					const { json, key, label, sentAt, isTold } = purchase;
					return {
						...{ key, label, sentAt, isTold, isAbandoned: isAbandoned(purchase) },
						result: json === undefined ? undefined : (JSON.parse(json) as JobResult),
						take: async () => await take(purchase),
						tell: async () => {
							purchase.isTold = true;
							await Promise.resolve();
						},
					};
				}),
			);
		},
		send: async (job) => {
			const purchase = start(job);
			remember(purchase, purchase);
			return await Promise.resolve({
				bought: async (result: JobResult) => await buy(purchase, job, result),
				notCharged: async () => {
					await Promise.resolve(purchases.delete(purchase));
				},
			});
		},
		adopt: async (job, result) => {
			// After Stop, another run may have taken it over.
			if (execution.isStopped) return;
			const known = purchases.get(result.output_url);
			if (known === undefined) await buy(start(job), job, result);
			else own.add(Object.assign(known, { execution, isDelivered: false }));
		},
		end: async (how) => {
			if (how === 'delivered') for (const purchase of own) purchase.isDelivered = true;
			await Promise.resolve();
		},
	};
}

/** The account, workflow and node. */
export function ownerOf({ context, node, service }: NodeInExecution): string {
	return JSON.stringify([service.account, context.getWorkflow().id, node.id]);
}

function executionOf({ context, signal }: NodeInExecution): Execution {
	const store = context.getContext('node');
	const known = executions.get(store);
	if (known !== undefined) return known;
	const execution = { isStopped: signal?.aborted === true };
	executions.set(store, execution);
	// Once for all rounds of a loop: Node 20 warns about more than ten listeners on a signal.
	signal?.addEventListener('abort', () => {
		execution.isStopped = true;
	});
	return execution;
}

function isAbandoned({ execution, isDelivered }: Purchase): boolean {
	return execution.isStopped && !isDelivered;
}
