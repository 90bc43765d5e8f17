import { METHODS } from 'node:http';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { addControl } from '../control/control';
import { answerDownload } from '../jobs/downloads';
import { answerCall } from '../jobs/toolCall';
import type { Parts } from '../parts';
import { answerClientError, answerConnectAndExpect, writeError } from './clientErrors';
import { checkHost, checkOrigin } from './guard';
import { Refusal } from './refusal';

/** Creates the HTTP server with its hooks, error handling and routes. */
export async function createServer(parts: Parts): Promise<FastifyInstance> {
	const { journal, recorder, settings } = parts;
	const app = fastify({
		forceCloseConnections: true,
		trustProxy: settings.trustProxy,
		routerOptions: { ignoreTrailingSlash: false, maxParamLength: 16_384 },
		http: { requireHostHeader: false },
		clientErrorHandler: answerClientError,
		frameworkErrors: (error, _request, reply) => {
			writeError(reply.hijack().raw, 400, error.message);
		},
	});
	answerConnectAndExpect(app.server);
	for (const method of METHODS) {
		if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
	}

	app.removeAllContentTypeParsers();
	await app.register(multipart);
	// FormReader reads the other bodies itself, to count their bytes as they arrive.
	app.addContentTypeParser('*', (_request, _payload, done) => done(null));
	app.addHook('onRequest', (request, _reply, done) => {
		if (!isControl(request.url)) recorder.entry(request);
		hideContentType(request);
		checkHost(request, settings);
		if (isControl(request.url)) checkOrigin(request);
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
		const refusal = `There is nothing at ${request.method} ${request.url}.`;
		if (!isControl(request.url)) journal.note(journal.open(recorder.entry(request)), { refusal });
		void reply.status(404).send({ err: refusal });
	});
	app.all('/api/*', async (request, reply) => await answerCall(parts, request, reply));
	app.get(
		'/job-view-file/*',
		async (request, reply) => await answerDownload(parts, request, reply),
	);
	addControl(app, parts);
	return app;
}

/** Whether a URL belongs to the page or the control API rather than to the service. */
function isControl(url: string): boolean {
	return /^\/(sandbox([/?].*)?)?$/s.test(url) || url.startsWith('/?');
}

/**
 * Replaces every Content-Type but multipart: Fastify would refuse one that it cannot parse before
 * path and key are checked. The recorder has the original.
 */
function hideContentType({ raw: { headers } }: FastifyRequest): void {
	const type = headers['content-type'];
	if (type !== undefined && /^multipart\/form-data *;/i.test(type)) return;
	headers['content-type'] = 'application/octet-stream';
}
