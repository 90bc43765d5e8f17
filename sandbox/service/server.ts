import { inspect } from 'node:util';
import multipart from '@fastify/multipart';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { answerCall } from './call';
import { addControl } from './control';
import { answerDownload } from './downloads';
import { checkHost, checkOrigin } from './guard';
import { addPage } from './page';
import { Refusal } from './refusal';
import type { Service } from './service';

/** Creates the HTTP server with its hooks, error handling and routes. */
export async function createServer(service: Service): Promise<FastifyInstance> {
	const { requests, settings } = service;
	const app = fastify({ forceCloseConnections: true });
	app.removeAllContentTypeParsers();
	await app.register(multipart);
	// `readForm` reads the other bodies itself, to count their bytes as they arrive.
	app.addContentTypeParser('*', (_request, _payload, done) => done(null));
	app.addHook('onRequest', (request, reply, done) => {
		const isControl = /^\/(sandbox([/?].*)?|\?.*)?$/s.test(request.url);
		if (!isControl) requests.add(request, reply);
		checkHost(request, settings);
		if (isControl) checkOrigin(request);
		done();
	});
	app.addHook('onSend', (request, reply, _payload, done) => {
		requests.answered(request, reply.statusCode);
		done();
	});
	app.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
		const refusal = refusalOf(error);
		const entry = requests.find(request);
		if (entry) entry.refusal = refusal.message;
		void reply.status(refusal.status).headers(refusal.headers).send(refusal.body);
	});
	app.setNotFoundHandler(({ method, url }) => {
		throw new Refusal(404, `There is nothing at ${method} ${url}.`);
	});
	app.all('/api/*', async (request, reply) => await answerCall(service, request, reply));
	app.get(
		'/job-view-file/*',
		async (request, reply) => await answerDownload(service, request, reply),
	);
	addControl(app, service);
	addPage(app, service);
	return app;
}

/** What a request is told about an error: a refusal, one of Fastify's, or a defect. */
function refusalOf(error: FastifyError | Refusal): Refusal {
	if (error instanceof Refusal) return error;
	const { statusCode = 500, message } = error;
	if (statusCode < 500) return new Refusal(statusCode, message);
	process.stderr.write(`${inspect(error)}\n`);
	return new Refusal(500, 'The sandbox has a defect. Its terminal shows details.');
}
