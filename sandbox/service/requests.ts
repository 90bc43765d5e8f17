import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordedRequest } from '../types';

/** How many of the latest requests to keep. */
const kept = 20_000;

/** The latest requests to the service, which tests and the page look at. */
export class Requests {
	/** Oldest first. */
	readonly latest: RecordedRequest[] = [];
	private count = 0;
	private readonly entries = new WeakMap<FastifyRequest, RecordedRequest>();

	constructor(private readonly now: () => Date) {}

	/** Records a request whose headers have arrived. */
	add(request: FastifyRequest, reply: FastifyReply): void {
		this.count += 1;
		const entry: RecordedRequest = {
			number: this.count,
			at: this.now().toISOString(),
			method: request.method,
			path: request.url,
			headers: flatten(request.headers),
			fields: {},
			files: [],
			fieldOrder: [],
			bytesReceived: 0,
			status: null,
			isOver: false,
		};
		reply.raw.once('close', () => {
			entry.isOver = true;
		});
		this.entries.set(request, entry);
		this.latest.push(entry);
		if (this.latest.length > kept) this.latest.shift();
	}

	/** Returns the entry of a request; undefined for one to the page or the control API. */
	find(request: FastifyRequest): RecordedRequest | undefined {
		return this.entries.get(request);
	}

	/** Records the status of a response that starts, unless the client has disconnected. */
	answered(request: FastifyRequest, status: number): void {
		const entry = this.find(request);
		if (entry && !request.raw.socket.destroyed) entry.status = status;
	}

	reset(): void {
		this.latest.length = 0;
		this.count = 0;
	}
}

function flatten(headers: FastifyRequest['headers']): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
	);
}
