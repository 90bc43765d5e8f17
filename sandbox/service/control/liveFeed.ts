import type { FastifyReply } from 'fastify';
import { toCallView } from './callView';
import type { Call, Journal } from './journal';

/** How long to collect changes before sending them together. */
const batchMs = 100;
/** How often to check the state when no call has changed. */
const pollMs = 1000;
/** How many changed calls to send at most. The page fetches older ones itself. */
const maxCalls = 100;

interface Listener {
	reply: FastifyReply;
	changed: Map<number, Call>;
	/** Returns what the page shows beside the calls; called often, so it must be cheap. */
	state(): unknown;
	sentState: string;
}

/** Sends changes to every open page as server-sent events (`state` and `calls`). */
export class LiveFeed {
	private readonly listeners = new Set<Listener>();
	private pollTimer: NodeJS.Timeout | undefined;
	private batchTimer: NodeJS.Timeout | undefined;

	constructor(journal: Journal) {
		journal.listen((call) => {
			for (const { changed } of this.listeners) this.add(changed, call);
			if (this.listeners.size > 0) this.soon();
		});
	}

	/** Keeps a response open until the page is closed. */
	open(reply: FastifyReply, state: () => unknown): void {
		reply.hijack();
		reply.raw.writeHead(200, {
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-store',
			'x-accel-buffering': 'no',
		});
		const listener: Listener = { reply, changed: new Map(), state, sentState: '' };
		this.listeners.add(listener);
		this.pollTimer ??= setInterval(() => this.send(), pollMs);
		reply.raw.once('close', () => {
			this.listeners.delete(listener);
			if (this.listeners.size > 0) return;
			clearInterval(this.pollTimer);
			this.pollTimer = undefined;
		});
		this.send();
	}

	/** Sends the changes soon, without waiting for the next poll. */
	soon(): void {
		this.batchTimer ??= setTimeout(() => {
			this.batchTimer = undefined;
			this.send();
		}, batchMs);
	}

	private add(changed: Map<number, Call>, call: Call): void {
		changed.delete(call.number);
		changed.set(call.number, call);
		const [oldest] = changed.keys();
		if (changed.size > maxCalls && oldest !== undefined) changed.delete(oldest);
	}

	private send(): void {
		for (const listener of this.listeners) {
			const { raw } = listener.reply;
			// A page that does not keep up receives everything later, in one message.
			if (raw.writableNeedDrain) continue;
			const state = JSON.stringify(listener.state());
			if (state !== listener.sentState) raw.write(`event: state\ndata: ${state}\n\n`);
			listener.sentState = state;
			if (listener.changed.size === 0) continue;
			const calls = [...listener.changed.values()].map(toCallView);
			listener.changed.clear();
			raw.write(`event: calls\ndata: ${JSON.stringify(calls)}\n\n`);
		}
	}
}
