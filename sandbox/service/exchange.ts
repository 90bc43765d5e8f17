import type { FastifyReply, FastifyRequest } from 'fastify';
import { pause, type JobResult } from '../faults/fault';
import type { Picked } from '../faults/queue';
import type { Requests } from './requests';

/** A request and its response. */
export class Exchange {
	/** Aborts when the client disconnects or the sandbox closes. */
	readonly signal: AbortSignal;
	/** `http://host` as the client reached it, the base of `output_url`. */
	readonly base: string;

	constructor(
		readonly request: FastifyRequest,
		readonly reply: FastifyReply,
		private readonly requests: Requests,
	) {
		const closed = new AbortController();
		reply.raw.once('close', () => closed.abort());
		this.signal = closed.signal;
		this.base = `${request.protocol}://${request.host}`;
	}

	/**
	 * Waits for the rule's `delayMs`, then runs its fault.
	 *
	 * @param on the charged job, or the requested file
	 * @returns whether the exchange is over
	 */
	async strike(
		{ rule, fault }: Picked,
		on: { job?: JobResult; output?: { bytes: Buffer; mimeType: string } } = {},
	): Promise<boolean> {
		const { request, reply, base, signal } = this;
		const entry = this.requests.find(request);
		if (entry) entry.fault = rule.fault;
		if (rule.delayMs !== undefined && fault.moment !== 'arrival') await pause(this, rule.delayMs);
		await fault.strike({
			request,
			reply,
			rule,
			base,
			signal,
			job: on.job ?? { id: '', output_url: base },
			output: on.output,
			answered: (status) => this.requests.answered(request, status),
		});
		return this.isOver;
	}

	/** Whether a fault has responded or the connection is closed. */
	get isOver(): boolean {
		return this.reply.sent || this.signal.aborted || this.request.raw.socket.destroyed;
	}
}
