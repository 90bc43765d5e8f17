import type { FastifyReply } from 'fastify';
import { viewOf } from './callView';
import type { Call, Journal } from './journal';

/** Changes are sent together, so that a flood of calls is a few messages a second. */
const pauseMs = 100;
/** How often the state is looked at when no call says that it has changed. */
const lookMs = 1000;
/** Of more changes at a time the newest are sent; the page fetches older calls by itself. */
const mostCalls = 100;

interface Listener {
	reply: FastifyReply;
	changed: Map<number, Call>;
	state: string;
}

/** Tells every open page what happens, as server-sent events (`state` and `calls`). */
export class LiveFeed {
	private readonly listeners = new Set<Listener>();
	private looking: NodeJS.Timeout | undefined;
	private sending: NodeJS.Timeout | undefined;

	/** @param state what is shown beside the calls; must be cheap */
	constructor(
		journal: Journal,
		private readonly state: () => unknown,
	) {
		journal.listen((call) => {
			for (const { changed } of this.listeners) this.add(changed, call);
			if (this.listeners.size > 0) this.soon();
		});
	}

	/** Keeps an answer open until the page is closed. */
	open(reply: FastifyReply): void {
		reply.hijack();
		reply.raw.writeHead(200, {
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-store',
			'x-accel-buffering': 'no',
		});
		const listener: Listener = { reply, changed: new Map(), state: '' };
		this.listeners.add(listener);
		this.looking ??= setInterval(() => this.send(), lookMs);
		reply.raw.once('close', () => {
			this.listeners.delete(listener);
			if (this.listeners.size > 0) return;
			clearInterval(this.looking);
			this.looking = undefined;
		});
		this.send();
	}

	/** Sends what has changed by now, before the next look. */
	soon(): void {
		this.sending ??= setTimeout(() => {
			this.sending = undefined;
			this.send();
		}, pauseMs);
	}

	private add(changed: Map<number, Call>, call: Call): void {
		changed.delete(call.number);
		changed.set(call.number, call);
		const [oldest] = changed.keys();
		if (changed.size > mostCalls && oldest !== undefined) changed.delete(oldest);
	}

	private send(): void {
		const state = JSON.stringify(this.state());
		for (const listener of this.listeners) {
			const { raw } = listener.reply;
			// A page that does not keep up gets everything together later.
			if (raw.writableNeedDrain) continue;
			if (state !== listener.state) raw.write(`event: state\ndata: ${state}\n\n`);
			listener.state = state;
			if (listener.changed.size === 0) continue;
			const calls = [...listener.changed.values()].map(viewOf);
			listener.changed.clear();
			raw.write(`event: calls\ndata: ${JSON.stringify(calls)}\n\n`);
		}
	}
}
