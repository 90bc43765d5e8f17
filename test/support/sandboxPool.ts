import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { useEngine } from './engine';

/** Starts n8n's engine and several sandboxes for a file's tests, so that concurrent runs each have their own. */
export function useSandboxPool(count: number, options: SandboxOptions) {
	const engine = useEngine();
	const sandboxes: Sandbox[] = [];
	const free: Sandbox[] = [];
	const waiting: Array<(sandbox: Sandbox) => void> = [];

	beforeAll(async () => {
		const starting = Array.from({ length: count }, async () => await startSandbox(options));
		sandboxes.push(...(await Promise.all(starting)));
		// Jest starts concurrent tests before this hook, so some may be waiting.
		sandboxes.forEach(giveBack);
	});
	afterAll(async () => {
		await Promise.all(sandboxes.map(async (sandbox) => await sandbox.close()));
	});

	const borrow = async (): Promise<Sandbox> =>
		free.pop() ?? (await new Promise((resolve) => waiting.push(resolve)));
	const giveBack = (sandbox: Sandbox) => {
		const next = waiting.shift();
		if (next === undefined) free.push(sandbox);
		else next(sandbox);
	};

	return {
		get engine() {
			return engine();
		},
		/** Runs a task with the next free sandbox, which has no fault armed. */
		take: async <T>(task: (sandbox: Sandbox) => Promise<T>): Promise<T> => {
			const sandbox = await borrow();
			try {
				return await task(sandbox);
			} finally {
				sandbox.disarm();
				giveBack(sandbox);
			}
		},
	};
}
