import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { buildSync, stop } from 'esbuild';
import type { Work } from '../../pictures/work';
import { Refusal } from '../http/refusal';

/** What a picture process is asked for. */
export interface Request<Name extends keyof Work = keyof Work> {
	name: Name;
	input: Parameters<Work[Name]>;
}

/** What a piece of work returns. */
export type Result<Name extends keyof Work> = Awaited<ReturnType<Work[Name]>>;

/** What a picture process says. */
export type Answer =
	| { kind: 'ready' }
	| { kind: 'done'; result: unknown }
	| { kind: 'refused'; status: number; message: string }
	| { kind: 'defect'; message: string }
	/** It uses more memory than any picture needs. */
	| { kind: 'too large' };

/** Thrown for work that was given up. Its process has been ended. */
export class GivenUp extends Error {
	constructor(readonly reason: 'too slow' | 'too large' | 'crashed' | 'stopped') {
		super(`The work was given up: ${reason}.`);
	}
}

/** When to give up a piece of work. */
export interface Limits {
	timeoutMs: number;
	signal: AbortSignal;
}

const folder = join(__dirname, '../..');
const entryPoint = 'pictures/process.ts';

const nodeOptions = [
	'--expose-gc',
	// The decoder of HEIC may use 1 GiB, in pages of 64 KiB.
	'--wasm-max-mem-pages=16384',
];

const settings = {
	// For glibc, which other systems lack: sharp draws with several threads and large buffers, and
	// glibc's heaps for them never shrink (measured with Node 20.20 and sharp 0.35.5).
	MALLOC_ARENA_MAX: '2',
	MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
	// Tools of the process that runs the sandbox, such as tsx.
	NODE_OPTIONS: '',
};

let program: string | undefined;

/**
 * The program in JavaScript. Compiling it here once saves each process 40 MiB and a process of esbuild,
 * which tsx would need in it (tsx 4.23).
 */
function programText(): string {
	program ??= compile();
	return program;
}

function compile(): string {
	const { outputFiles } = buildSync({
		absWorkingDir: folder,
		entryPoints: [entryPoint],
		bundle: true,
		packages: 'external',
		platform: 'node',
		// A program from stdin has no file from which `import` could find a package.
		supported: { 'dynamic-import': false },
		write: false,
	});
	// Ends esbuild's own process.
	void stop();
	return outputFiles.map(({ text }) => text).join('');
}

/** How long a process without work is kept. Its memory goes back to the system when it ends. */
const idleMs = 10_000;

/**
 * Processes without work. They know nothing of the sandbox that they worked for, so all sandboxes of
 * this process share them: starting one takes 0.2 seconds.
 */
const idle: PictureProcess[] = [];

/** A process that works with pictures, one at a time. It ends with this one at the latest. */
export class PictureProcess {
	private idleTimer: NodeJS.Timeout | undefined;
	/** Whether it has started. */
	private readonly ready: Promise<boolean>;

	private constructor(private readonly child: ChildProcess) {
		this.ready = new Promise((resolve) => {
			child.once('message', () => resolve(true));
			child.once('exit', () => resolve(false));
			child.on('error', () => resolve(false));
		});
	}

	/** Takes one that has no work, or starts one. */
	static take(): PictureProcess {
		const known = idle.pop();
		if (!known) return PictureProcess.start();
		clearTimeout(known.idleTimer);
		return known.runs ? known : PictureProcess.take();
	}

	private static start(): PictureProcess {
		// Node reads the program from stdin. The argument only tells people what runs.
		const child = fork('-', [entryPoint], {
			cwd: folder,
			execArgv: nodeOptions,
			env: { ...process.env, ...settings },
			serialization: 'advanced',
			stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
		});
		child.stdin?.on('error', () => undefined).end(programText());
		// It must not keep this process running.
		child.unref();
		child.channel?.unref();
		return new PictureProcess(child);
	}

	/** Keeps it for further work, unless it has ended. */
	giveBack(): void {
		if (!this.runs) return;
		idle.push(this);
		this.idleTimer = setTimeout(() => this.retire(), idleMs).unref();
	}

	private get runs(): boolean {
		return this.child.connected && !this.child.killed;
	}

	/**
	 * Does a piece of work. Ends the process if the work takes too long or too much memory, or if the
	 * signal aborts.
	 *
	 * @throws Refusal as the work does
	 * @throws GivenUp if the process had to be ended, or crashed
	 */
	async run<Name extends keyof Work>(
		request: Request<Name>,
		limits: Limits,
	): Promise<Result<Name>> {
		const started = await this.ready;
		if (limits.signal.aborted) throw this.giveUp('stopped');
		if (!started) throw new Error('A process for pictures could not be started.');
		const answer = await this.ask(request, limits);
		switch (answer.kind) {
			case 'done':
				return answer.result as Result<Name>;
			case 'refused':
				throw new Refusal(answer.status, answer.message);
			case 'too large':
				throw this.giveUp('too large');
			default:
				throw new Error(answer.kind === 'defect' ? answer.message : answer.kind);
		}
	}

	private retire(): void {
		idle.splice(idle.indexOf(this), 1);
		this.end();
	}

	private giveUp(reason: GivenUp['reason']): GivenUp {
		this.end();
		return new GivenUp(reason);
	}

	/** Ends it at once, whatever it does. */
	private end(): void {
		this.child.kill('SIGKILL');
	}

	private async ask(request: Request, { timeoutMs, signal }: Limits): Promise<Answer> {
		const { child } = this;
		const settled = new AbortController();
		try {
			return await new Promise((resolve, reject) => {
				const rejectFor = (reason: GivenUp['reason']) => () => reject(this.giveUp(reason));
				const timer = setTimeout(rejectFor('too slow'), timeoutMs);
				settled.signal.addEventListener('abort', () => clearTimeout(timer));
				signal.addEventListener('abort', rejectFor('stopped'), { signal: settled.signal });
				child.once('exit', rejectFor('crashed'));
				child.once('message', resolve);
				child.send(request);
			});
		} finally {
			settled.abort();
			child.removeAllListeners('message');
			child.removeAllListeners('exit');
		}
	}
}
