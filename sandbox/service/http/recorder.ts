import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordedRequest } from '../../types';

/** Records the latest requests to the service. */
export class Recorder {
	readonly requests: RecordedRequest[] = [];
	private readonly entries = new WeakMap<FastifyRequest, RecordedRequest>();

	/**
	 * @param keep how many of the latest requests to keep
	 * @param changed called when a response starts
	 */
	constructor(
		private readonly keep: number,
		private readonly changed: (entry: RecordedRequest) => void,
	) {}

	/** Returns the entry of a request; adds it on the first call. */
	entry(request: FastifyRequest): RecordedRequest {
		const known = this.entries.get(request);
		if (known) return known;
		const entry: RecordedRequest = {
			method: request.method,
			path: request.url,
			headers: flatten(request.headers),
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

	/** Records the status of a response, unless the client has disconnected. */
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

function flatten(headers: FastifyRequest['headers']): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
	);
}
