import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JobResult, Strike } from '../faults/fault';
import { pause } from '../faults/fault';
import { FaultQueue, type Picked } from '../faults/rules';
import { Account } from './account';
import { Files, type StoredOutput } from './files';
import { Journal } from './journal';
import { RateLimiter } from './rateLimiter';
import { Recorder } from './recorder';
import type { Settings } from './settings';
import { Workbench } from './workbench';

/** What the routes of one sandbox share. */
export interface Parts {
	settings: Settings;
	account: Account;
	limiter: RateLimiter;
	files: Files;
	faults: FaultQueue;
	recorder: Recorder;
	journal: Journal;
	workbench: Workbench;
	/** Puts all of it back to how it was at the start. */
	reset(): Promise<void>;
}

export async function createParts(settings: Settings): Promise<Parts> {
	const { keepRequests, now } = settings;
	const account = new Account(settings);
	const limiter = new RateLimiter(settings.rateLimit, now);
	const files = await Files.open();
	const faults = new FaultQueue();
	const journal = new Journal(keepRequests, now);
	const recorder = new Recorder(keepRequests, (entry) => journal.touch(entry));
	const workbench = new Workbench();
	const reset = async () => {
		for (const part of [account, limiter, journal, recorder]) part.reset();
		faults.disarm();
		await files.clear();
	};
	return { settings, account, limiter, files, faults, recorder, journal, workbench, reset };
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
		this.base = baseOf(request);
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

/** HTTP/1.0 has calls without a Host: they are told the address that they came to. */
function baseOf({ protocol, host, socket }: FastifyRequest): string {
	if (host !== '') return `${protocol}://${host}`;
	const { localAddress = '127.0.0.1', localPort = 0 } = socket;
	const name = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
	return `${protocol}://${name}:${localPort}`;
}
