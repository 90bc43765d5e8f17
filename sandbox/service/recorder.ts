import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordedRequest } from '../types';

/** Keeps an entry for each request of the service, from its head to its answer. */
export class Recorder {
	readonly requests: RecordedRequest[] = [];
	private readonly entries = new WeakMap<FastifyRequest, RecordedRequest>();

	/**
	 * @param keep how many entries are kept, the latest ones
	 * @param changed is told when an answer starts
	 */
	constructor(
		private readonly keep: number,
		private readonly changed: (entry: RecordedRequest) => void,
	) {}

	/** The entry of a request; the first call lists it. */
	entry(request: FastifyRequest): RecordedRequest {
		const known = this.entries.get(request);
		if (known) return known;
		const entry: RecordedRequest = {
			method: request.method,
			path: request.url,
			headers: flat(request.headers),
			fields: {},
			files: [],
			fieldOrder: [],
			status: null,
			bytesReceived: 0,
		};
		this.entries.set(request, entry);
		this.requests.push(entry);
		if (this.requests.length > this.keep) this.requests.shift();
		return entry;
	}

	/** Notes that an answer starts, unless nobody is there any more to receive it. */
	answered(request: FastifyRequest, reply: FastifyReply): void {
		if (reply.raw.destroyed || request.raw.socket.destroyed) return;
		const entry = this.entries.get(request);
		if (!entry) return;
		entry.status = reply.raw.headersSent ? reply.raw.statusCode : reply.statusCode;
		this.changed(entry);
	}

	reset(): void {
		this.requests.length = 0;
	}
}

function flat(headers: FastifyRequest['headers']): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
	);
}
