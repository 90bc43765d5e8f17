import type { Server } from 'node:net';
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import { FaultQueue } from '../faults/rules';
import type { Sandbox, SandboxOptions } from '../types';
import { Account } from './account';
import { addControl } from './control';
import { Downloads } from './downloads';
import { Files } from './files';
import { Jobs } from './jobs';
import { Recorder } from './recorder';
import { Refusal } from './refusal';

/**
 * Starts a sandbox of the image API on its own port. Several may run in one process.
 *
 * @param options see SandboxOptions; every one has a default
 * @throws Error with a `code` such as EADDRINUSE when the port cannot be had
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const settings = {
		host: '127.0.0.1',
		port: 0,
		apiKey: 'test-key',
		unsubscribedKey: 'no-subscription',
		allowance: 1000,
		walletCents: 1000,
		delayMs: 0,
		echoImages: false,
		maxImageBytes: 300 * 1024 * 1024,
		now: () => new Date(),
		...options,
	};
	const app = fastify({
		forceCloseConnections: true,
		routerOptions: { ignoreTrailingSlash: false },
		frameworkErrors: (error, _request, reply) => {
			const head = { 'content-type': 'application/json; charset=utf-8' };
			reply
				.hijack()
				.raw.writeHead(400, head)
				.end(JSON.stringify({ err: error.message }));
		},
	});
	const account = new Account(settings);
	const files = await Files.open();
	const faults = new FaultQueue();
	const recorder = new Recorder();
	const parts = { settings, account, files, faults, recorder };

	app.removeAllContentTypeParsers();
	await app.register(multipart);
	// Bodies other than multipart are read where the request is handled, to count them as they come.
	app.addContentTypeParser('*', (_request, _payload, done) => done(null));
	app.addHook('onRequest', (request, _reply, done) => {
		if (!request.url.startsWith('/sandbox')) recorder.entry(request);
		done();
	});
	app.addHook('onSend', (request, reply, _payload, done) => {
		recorder.answered(request, reply);
		done();
	});
	app.setErrorHandler((error, _request, reply) => {
		const refusal = error instanceof Refusal ? error : undefined;
		const known = error as { statusCode?: number; message?: string };
		void reply
			.status(refusal?.status ?? known.statusCode ?? 500)
			.headers(refusal?.headers ?? {})
			.send(refusal?.body ?? { err: known.message ?? 'Something went wrong.' });
	});
	app.setNotFoundHandler((request, reply) => {
		void reply.status(404).send({ err: `There is nothing at ${request.method} ${request.url}.` });
	});
	const jobs = new Jobs(parts);
	const downloads = new Downloads(parts);
	app.all('/api/*', async (request, reply) => await jobs.handle(request, reply));
	app.get('/job-view-file/*', async (request, reply) => await downloads.handle(request, reply));
	addControl(app, parts);

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
		close: async () => await (closing ??= close()),
	};
}

function urlOf(host: string, address: ReturnType<Server['address']>): string {
	const port = typeof address === 'object' && address ? address.port : 0;
	return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
