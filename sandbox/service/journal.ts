import type { FaultName } from '../faults/table';
import type { LedgerEntry, RecordedRequest } from '../types';

/** A call of a tool, or an attempt at one, as the page tells of it. */
export interface Call {
	/** Counts up from 1. */
	readonly number: number;
	/** ISO 8601, UTC. */
	readonly at: string;
	/** Its fields and files fill up while they arrive. */
	readonly request: RecordedRequest;
	/** What was charged. */
	charge?: LedgerEntry;
	/** Why it was refused. */
	refusal?: string;
	/** The fault that struck it. */
	fault?: FaultName;
	/** Faults that struck its downloads. */
	downloadFaults: FaultName[];
	/** How often its file was delivered. */
	downloads: number;
	/** Whether the client left before it was answered. */
	left: boolean;
}

/** The latest calls, for the page to show; whoever listens learns of each change. */
export class Journal {
	/** Calls since the start or the last reset, forgotten ones too. */
	count = 0;
	private readonly calls = new Map<number, Call>();
	private readonly byRequest = new WeakMap<RecordedRequest, Call>();
	private readonly byPath = new Map<string, Call>();
	private readonly listeners = new Set<(call: Call) => void>();

	constructor(
		private readonly keep: number,
		private readonly now: () => Date,
	) {}

	/** Begins with a request whose head has arrived. */
	open(request: RecordedRequest): Call {
		const number = ++this.count;
		const at = this.now().toISOString();
		const call: Call = { number, at, request, downloadFaults: [], downloads: 0, left: false };
		this.calls.set(number, call);
		this.byRequest.set(request, call);
		this.forget(number - this.keep);
		this.changed(call);
		return call;
	}

	note(call: Call, news: Partial<Pick<Call, 'refusal' | 'fault' | 'left'>>): void {
		Object.assign(call, news);
		this.changed(call);
	}

	charged(call: Call, charge: LedgerEntry): void {
		call.charge = charge;
		this.byPath.set(pathOf(charge), call);
		this.changed(call);
	}

	/** The request got its answer, or a field more. */
	touch(request: RecordedRequest): void {
		const call = this.byRequest.get(request);
		if (call) this.changed(call);
	}

	downloaded(path: string): void {
		const call = this.byPath.get(path);
		if (!call) return;
		call.downloads += 1;
		this.changed(call);
	}

	struckDownload(path: string, fault: FaultName): void {
		const call = this.byPath.get(path);
		if (!call) return;
		call.downloadFaults = [...call.downloadFaults, fault].slice(-20);
		this.changed(call);
	}

	find(number: number): Call | undefined {
		return this.calls.get(number);
	}

	/** The newest calls before a number, newest first. */
	before(number: number, count: number): Call[] {
		const found: Call[] = [];
		const oldest = this.count - this.calls.size;
		for (let next = Math.min(number - 1, this.count); next > oldest; next--) {
			const call = this.calls.get(next);
			if (call && found.push(call) === count) break;
		}
		return found;
	}

	/** @returns what ends it */
	listen(listener: (call: Call) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	reset(): void {
		this.count = 0;
		this.calls.clear();
		this.byPath.clear();
	}

	private forget(number: number): void {
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
