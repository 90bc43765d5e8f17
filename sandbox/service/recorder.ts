import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordedRequest } from '../types';

/** Keeps an entry for each request outside `/sandbox`, from its head to its answer. */
export class Recorder {
	readonly requests: RecordedRequest[] = [];
	private readonly entries = new WeakMap<FastifyRequest, RecordedRequest>();

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
		return entry;
	}

	/** Notes that an answer starts, unless nobody is there any more to receive it. */
	answered(request: FastifyRequest, reply: FastifyReply): void {
		if (reply.raw.destroyed || request.raw.socket.destroyed) return;
		const entry = this.entries.get(request);
		if (entry) entry.status = reply.raw.headersSent ? reply.raw.statusCode : reply.statusCode;
	}
}

function flat(headers: FastifyRequest['headers']): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
	);
}
