import { inspect } from 'node:util';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { addControl } from '../control/control';
import { openCall } from '../control/openCall';
import { answerDownload } from '../jobs/downloads';
import { answerCall } from '../jobs/toolCall';
import type { Parts } from '../parts';
import { answerClientError, writeError } from './clientErrors';
import { checkHost, checkOrigin } from './guard';
import { quote, Refusal } from './refusal';

/** Creates the HTTP server with its hooks, error handling and routes. */
export async function createServer(parts: Parts): Promise<FastifyInstance> {
	const { journal, recorder, settings } = parts;
	const app = fastify({
		forceCloseConnections: true,
		trustProxy: settings.trustProxy,
		routerOptions: {
			ignoreTrailingSlash: false,
			maxParamLength: 16_384,
		},
		http: { requireHostHeader: false },
		clientErrorHandler: answerClientError,
		frameworkErrors: (_error, { url }, reply) => {
			writeError(reply.hijack().raw, 400, `The path ${quote(url)} cannot be decoded.`);
		},
	});
	app.removeAllContentTypeParsers();
	await app.register(multipart);
	// `readForm` reads the other bodies itself, to count their bytes as they arrive.
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
		if (!refusal) process.stderr.write(`${inspect(error)}\n`);
		void reply
			.status(refusal?.status ?? 500)
			.headers(refusal?.headers ?? {})
			.send(refusal?.body ?? { err: 'The sandbox has a defect. Its terminal shows details.' });
	});
	app.setNotFoundHandler((request, reply) => {
		const refusal = `There is nothing at ${request.method} ${request.url}.`;
		// A POST to an unknown path was meant for a tool; browsers GET icons and the like.
		if (request.method === 'POST' && !/^\/(sandbox|job-view-file)\//.test(request.url)) {
			journal.note(openCall(parts, request, reply), { refusal });
		}
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
	return /^\/((sandbox|openapi\.json)([/?].*)?)?$/s.test(url) || url.startsWith('/?');
}

/**
 * Replaces every Content-Type but that of a plain form with a boundary: Fastify would refuse it before
 * path and key are checked. The recorder has the original.
 */
function hideContentType({ raw: { headers } }: FastifyRequest): void {
	const type = headers['content-type'];
	const plain = /^(identity)?$/i.test(headers['content-encoding'] ?? '');
	if (plain && /^multipart\/form-data *;.*boundary="?[^";\s]/i.test(type ?? '')) return;
	headers['content-type'] = 'application/octet-stream';
}
