import type { FaultName } from '../../faults/table';
import type { LedgerEntry, RecordedRequest } from '../../types';

/** A call as the page shows it: a request to a tool or to an unknown path. */
export interface Call {
	/** From 1, in the order received. */
	readonly number: number;
	/** ISO 8601, UTC. */
	readonly at: string;
	/** Its fields and files are added as they arrive. */
	readonly request: RecordedRequest;
	/** Set once the call is charged. */
	charge?: LedgerEntry;
	/** Why the call was refused. */
	refusal?: string;
	/** The faults that struck downloads of its file. */
	downloadFaults: FaultName[];
	/** How often its file was downloaded. */
	downloads: number;
	/** Whether the client disconnected before the response. */
	clientLeft: boolean;
}

/** The latest calls, shown on the page. Notifies its listeners of each change. */
export class Journal {
	/** Calls since the start or the last reset, including those no longer kept. */
	count = 0;
	private readonly calls = new Map<number, Call>();
	private readonly byRequest = new WeakMap<RecordedRequest, Call>();
	private readonly byPath = new Map<string, Call>();
	private readonly listeners = new Set<(call: Call) => void>();

	constructor(
		private readonly keep: number,
		private readonly now: () => Date,
	) {}

	/** Adds a call whose headers have arrived. */
	open(request: RecordedRequest): Call {
		const number = ++this.count;
		const at = this.now().toISOString();
		const call: Call = {
			number,
			at,
			request,
			downloadFaults: [],
			downloads: 0,
			clientLeft: false,
		};
		this.calls.set(number, call);
		this.byRequest.set(request, call);
		this.drop(number - this.keep);
		this.changed(call);
		return call;
	}

	note(call: Call, changes: Partial<Pick<Call, 'refusal' | 'clientLeft'>>): void {
		Object.assign(call, changes);
		this.changed(call);
	}

	charged(call: Call, charge: LedgerEntry): void {
		call.charge = charge;
		this.byPath.set(pathOf(charge), call);
		this.changed(call);
	}

	/** Notifies the listeners that a call's request has changed. */
	requestChanged(request: RecordedRequest): void {
		const call = this.byRequest.get(request);
		if (call) this.changed(call);
	}

	/** Notes a download, or the fault that struck it. */
	downloaded(path: string, fault?: FaultName): void {
		const call = this.byPath.get(path);
		if (!call) return;
		if (fault) call.downloadFaults = [...call.downloadFaults, fault].slice(-20);
		else call.downloads += 1;
		this.changed(call);
	}

	find(number: number): Call | undefined {
		return this.calls.get(number);
	}

	/** Returns the newest calls below a number, newest first; of one API key, if it is set. */
	before(number: number, count: number, key?: string): Call[] {
		const found: Call[] = [];
		const oldest = this.count - this.calls.size;
		for (let next = Math.min(number - 1, this.count); next > oldest; next--) {
			const call = this.calls.get(next);
			if (!call || (key !== undefined && call.request.headers['api-key'] !== key)) continue;
			found.push(call);
			if (found.length === count) break;
		}
		return found;
	}

	/** Calls the listener after each change. @returns a function that removes it */
	listen(listener: (call: Call) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	reset(): void {
		this.count = 0;
		this.calls.clear();
		this.byPath.clear();
	}

	private drop(number: number): void {
		const call = this.calls.get(number);
		if (!call) return;
		this.calls.delete(number);
		if (call.charge) this.byPath.delete(pathOf(call.charge));
	}

	private changed(call: Call): void {
		for (const listener of this.listeners) listener(call);
	}
}

function pathOf({ outputUrl }: LedgerEntry): string {
	return new URL(outputUrl).pathname;
}
