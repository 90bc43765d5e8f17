import type { FastifyInstance } from 'fastify';

/** The page at `/`. */
export function addPage(app: FastifyInstance): void {
	app.get(
		'/',
		async (_request, reply) =>
			await reply.type('text/html; charset=utf-8').send('No AI model runs here'),
	);
}
