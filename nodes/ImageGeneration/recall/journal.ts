import type { NodeRun } from './nodeRun';
import type { Purchase } from './purchase';

/** Milliseconds: a daily schedule is always a little late, and a weekend has two days. */
export const REMEMBERED_FOR = 80 * 60 * 60 * 1000;

const MOST_OF_A_NODE = 1000;
const MOST_NODES = 1000;
const MOST_WORDS = 10_000;

/** A request that is out, of a run that goes on or was stopped. */
export interface Flight {
	purchase: Purchase;
	run: NodeRun;
	/** When it went out, in milliseconds since 1970; undefined while it waits for its turn. */
	sentAt: number | undefined;
	/** Resolves once its outcome is known. */
	settled: Promise<void>;
}

/**
 * What this n8n process knows: purchases, requests under way, runs that go on, and n8n's final words on executions. Written
 * at once, without failing.
 */
export class Journal {
	/** By node, then by entry, the oldest first. The node that bought last is at the end. */
	readonly #nodes = new Map<string, Map<string, Purchase>>();

	/** The same by request. */
	readonly #requests = new Map<string, Set<Purchase>>();

	/** By request. */
	readonly #flights = new Map<string, Set<Flight>>();

	/** The runs that go on, by node and execution. */
	readonly #runs = new Map<string, Set<NodeRun>>();

	/** Whether executions did not end well, the latest word at the end. */
	readonly #words = new Map<string, boolean>();

	begin(run: NodeRun): void {
		addTo(this.#runs, placeOf(run), run);
	}

	end(run: NodeRun): void {
		run.isOver = true;
		run.planned = 0;
		removeFrom(this.#runs, placeOf(run), run);
	}

	/** The runs that go on. */
	get runs(): NodeRun[] {
		return [...this.#runs.values()].flatMap((each) => [...each]);
	}

	/** Whether a run of a node goes on in an execution. After Stop it does not, even if it still winds up. */
	isLive(node: string, execution: string): boolean {
		return this.#runs.has(placeOf({ node, execution }));
	}

	/** How many images the runs of a node that go on are going to buy, besides those that they have asked for. */
	plannedBy(node: string): number {
		const own = this.runs.filter((run) => run.node === node);
		return own.reduce((sum, { planned }) => sum + planned, 0);
	}

	put(purchase: Purchase): void {
		const { node, entry, request } = purchase;
		const purchases = this.#nodes.get(node) ?? new Map<string, Purchase>();
		this.#nodes.delete(node);
		this.#nodes.set(node, purchases);
		purchases.set(entry, purchase);
		addTo(this.#requests, request, purchase);
		if (this.#nodes.size > MOST_NODES) this.#forgetOldestNode();
	}

	drop(purchase: Purchase): void {
		this.#nodes.get(purchase.node)?.delete(purchase.entry);
		removeFrom(this.#requests, purchase.request, purchase);
	}

	get({ node, entry }: Pick<Purchase, 'node' | 'entry'>): Purchase | undefined {
		return this.#nodes.get(node)?.get(entry);
	}

	/** The purchases of a node, the oldest first. */
	of(node: string): Purchase[] {
		return [...(this.#nodes.get(node)?.values() ?? [])];
	}

	/** The purchases of a request, whichever node made them. */
	ofRequest(request: string): Purchase[] {
		return [...(this.#requests.get(request) ?? [])];
	}

	/**
	 * Forgets a node's old purchases.
	 * @param least How many of them are kept at least.
	 * @param now Milliseconds since 1970.
	 */
	trim(node: string, least: number, now: number): void {
		const purchases = this.of(node);
		const surplus = purchases.length - Math.max(least, MOST_OF_A_NODE);
		purchases.forEach((purchase, index) => {
			if (index < surplus || now - purchase.time > REMEMBERED_FOR) this.drop(purchase);
		});
	}

	enter(flight: Flight): void {
		addTo(this.#flights, flight.purchase.request, flight);
	}

	leave(flight: Flight): void {
		removeFrom(this.#flights, flight.purchase.request, flight);
	}

	/** The requests under way that ask for the same. */
	flightsOf(request: string): Flight[] {
		return [...(this.#flights.get(request) ?? [])];
	}

	/** Whether a run that goes on expects the answer to a purchase's request. */
	isExpected({ request, entry }: Purchase): boolean {
		return this.flightsOf(request).some(
			({ purchase, run }) => purchase.entry === entry && !run.isOver,
		);
	}

	/** n8n's final word on whether an execution did not end well; undefined if there is none yet. */
	wordOn(execution: string): boolean | undefined {
		return this.#words.get(execution);
	}

	keepWord(execution: string, didNotEndWell: boolean): void {
		this.#words.set(execution, didNotEndWell);
		if (this.#words.size > MOST_WORDS) this.#words.delete(firstOf(this.#words));
	}

	#forgetOldestNode(): void {
		const oldest = firstOf(this.#nodes);
		for (const purchase of this.of(oldest)) this.drop(purchase);
		this.#nodes.delete(oldest);
	}
}

function placeOf({ node, execution }: Pick<NodeRun, 'node' | 'execution'>): string {
	return `${node} ${execution}`;
}

/** The key that was added first. */
function firstOf(map: ReadonlyMap<string, unknown>): string {
	return map.keys().next().value ?? '';
}

function addTo<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
	const set = sets.get(key) ?? new Set<T>();
	sets.set(key, set.add(value));
}

function removeFrom<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
	const set = sets.get(key);
	set?.delete(value);
	if (set?.size === 0) sets.delete(key);
}
