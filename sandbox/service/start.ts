import type { Server } from 'node:net';
import type { Sandbox } from '../sandbox';
import type { SandboxOptions } from '../types';
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
	const { files, recorder, subscribers } = parts;
	const { first } = subscribers;
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
		ledger: first.ledger,
		requests: recorder.requests,
		account: first.account,
		outputs: files.byJob,
		output: async (jobId) => await files.read(jobId),
		arm: (rule) => first.arm(rule),
		disarm: () => first.disarm(),
		limitRate: (limit) => first.limitRate(limit),
		forKey: (key) => {
			const subscriber = subscribers.find(key);
			if (subscriber) return subscriber;
			throw new Error(`There is no API key ${JSON.stringify(key)}; apiKey does not list it.`);
		},
		reset: async () => await parts.reset(),
		close: async () => await (closing ??= close()),
	};
}

function urlOf(host: string, address: ReturnType<Server['address']>): string {
	const port = typeof address === 'object' && address ? address.port : 0;
	return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
