import type { FastifyReply, FastifyRequest } from 'fastify';
import { pause, type JobResult } from '../../faults/fault';
import type { Picked } from '../../faults/queue';
import type { StoredOutput } from '../jobs/files';
import type { Recorder } from './recorder';

/** A request and its response. */
export class Exchange {
	/** Aborts when the client disconnects or the sandbox closes. */
	readonly signal: AbortSignal;
	/** `http://host` as the client reached it. */
	readonly base: string;

	constructor(
		readonly request: FastifyRequest,
		readonly reply: FastifyReply,
		private readonly recorder: Recorder,
	) {
		const closed = new AbortController();
		reply.raw.once('close', () => closed.abort());
		this.signal = closed.signal;
		this.base = baseOf(request);
	}

	/** Waits for the rule's `delayMs`, then runs its fault. @returns whether the exchange is over */
	async strike(picked: Picked, on: { job?: JobResult; output?: StoredOutput }): Promise<boolean> {
		const { rule, fault } = picked;
		if (rule.delayMs !== undefined && fault.moment !== 'arrival') await pause(this, rule.delayMs);
		const { request, reply, base, signal } = this;
		const answered = () => this.recorder.answered(request, reply);
		const job = on.job ?? { id: '', output_url: base };
		await fault.strike({
			request,
			reply,
			rule,
			base,
			signal,
			job,
			output: on.output,
			answered,
		});
		return this.over;
	}

	/** Whether a fault has responded or the connection is closed. */
	get over(): boolean {
		return this.reply.sent || this.signal.aborted || this.request.raw.socket.destroyed;
	}
}

/** The base URL for `output_url`. HTTP/1.0 requests without a Host get the socket's address. */
export function baseOf({ protocol, host, socket }: FastifyRequest): string {
	if (host !== '') return `${protocol}://${host}`;
	const { localAddress = '127.0.0.1', localPort = 0 } = socket;
	const name = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
	return `${protocol}://${name}:${localPort}`;
}
