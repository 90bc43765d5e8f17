import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JobResult } from '../faults/fault';
import { pause } from '../faults/fault';
import { FaultQueue, type Picked } from '../faults/rules';
import { Account } from './account/account';
import { RateLimiter } from './account/rateLimiter';
import { Journal } from './control/journal';
import { Recorder } from './http/recorder';
import { Files, type StoredOutput } from './jobs/files';
import { Workbench } from './jobs/workbench';
import type { Settings } from './settings';

/** Everything that the routes of a sandbox share. */
export interface Parts {
	settings: Settings;
	account: Account;
	limiter: RateLimiter;
	files: Files;
	faults: FaultQueue;
	recorder: Recorder;
	journal: Journal;
	workbench: Workbench;
	/** Restores the initial state. */
	reset(): Promise<void>;
}

export async function createParts(settings: Settings): Promise<Parts> {
	const { keepRequests, now } = settings;
	const account = new Account(settings);
	const limiter = new RateLimiter(settings.rateLimit, now);
	const files = await Files.open();
	const faults = new FaultQueue();
	const journal = new Journal(keepRequests, now);
	const recorder = new Recorder(keepRequests, (entry) => journal.requestChanged(entry));
	const workbench = new Workbench();
	const reset = async () => {
		for (const part of [account, limiter, journal, recorder]) part.reset();
		faults.disarm();
		await files.clear();
	};
	return { settings, account, limiter, files, faults, recorder, journal, workbench, reset };
}

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
		await fault.strike({ request, reply, rule, base, signal, job, output: on.output, answered });
		return this.over;
	}

	/** Whether a fault has responded or the connection is closed. */
	get over(): boolean {
		return this.reply.sent || this.signal.aborted || this.request.raw.socket.destroyed;
	}

	/** Tells Fastify not to respond. */
	end(): void {
		this.reply.hijack();
	}
}

/** The base URL for `output_url`. HTTP/1.0 requests without a Host get the socket's address. */
function baseOf({ protocol, host, socket }: FastifyRequest): string {
	if (host !== '') return `${protocol}://${host}`;
	const { localAddress = '127.0.0.1', localPort = 0 } = socket;
	const name = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
	return `${protocol}://${name}:${localPort}`;
}
