import type { Server } from 'node:net';
import type { Sandbox, SandboxOptions } from '../types';
import { checkRateLimit } from './account/checks';
import { createServer } from './http/server';
import { createParts } from './parts';
import { resolveSettings } from './settings';

/**
 * Starts a sandbox. Several can run in one process, each on its own port.
 *
 * @throws Error if an option is invalid, or with a `code` such as EADDRINUSE if it cannot listen
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const settings = resolveSettings(options);
	const parts = await createParts(settings);
	const { account, faults, files, limiter, recorder } = parts;
	const app = await createServer(parts);
	try {
		await app.listen({ host: settings.host, port: settings.port });
	} catch (error) {
		await app.close();
		await files.close();
		throw error;
	}
	let closing: Promise<void> | undefined;
	const close = async () => {
		app.server.closeAllConnections();
		await app.close();
		await files.close();
	};
	return {
		url: urlOf(settings.host, app.server.address()),
		ledger: account.ledger,
		requests: recorder.requests,
		account,
		outputs: files.byJob,
		output: async (jobId) => await files.read(jobId),
		arm: (rule) => faults.arm(rule),
		disarm: () => faults.disarm(),
		limitRate: (limit) => limiter.set(limit && checkRateLimit(limit)),
		reset: async () => await parts.reset(),
		close: async () => await (closing ??= close()),
	};
}

function urlOf(host: string, address: ReturnType<Server['address']>): string {
	const port = typeof address === 'object' && address ? address.port : 0;
	return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
