import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JobResult, Strike } from '../faults/fault';
import { pause } from '../faults/fault';
import type { FaultQueue, Picked } from '../faults/rules';
import type { SandboxOptions } from '../types';
import type { Account } from './account';
import type { Files, StoredOutput } from './files';
import type { Recorder } from './recorder';

/** What the routes of one sandbox share. */
export interface Parts {
	settings: Required<SandboxOptions>;
	account: Account;
	files: Files;
	faults: FaultQueue;
	recorder: Recorder;
}

/** One request on its way: what a fault needs to strike it. */
export class Exchange {
	/** Aborts when the connection closes, by the client or with the sandbox. */
	readonly left: AbortSignal;
	/** `http://host` as the client reached it. */
	readonly base: string;

	constructor(
		readonly request: FastifyRequest,
		readonly reply: FastifyReply,
		private readonly recorder: Recorder,
	) {
		const leaving = new AbortController();
		reply.raw.once('close', () => leaving.abort());
		this.left = leaving.signal;
		this.base = `http://${request.headers.host ?? 'localhost'}`;
	}

	/** Waits as the rule says, then strikes. @returns whether the request was dealt with */
	async strike(picked: Picked, on: { job?: JobResult; output?: StoredOutput }): Promise<boolean> {
		const { rule, fault } = picked;
		if (rule.delayMs !== undefined && fault.moment !== 'arrival') await pause(this, rule.delayMs);
		const { request, reply, base, left } = this;
		const answered = () => this.recorder.answered(request, reply);
		const job = on.job ?? { id: '', output_url: base };
		const strike: Strike = { request, reply, rule, base, left, job, output: on.output, answered };
		await fault.strike(strike);
		return this.over;
	}

	/** Nobody waits for an answer any more, or a fault gave it. */
	get over(): boolean {
		return this.reply.sent || this.left.aborted || this.request.raw.socket.destroyed;
	}

	/** Tells Fastify that no answer is to come from it. */
	end(): void {
		this.reply.hijack();
	}
}
