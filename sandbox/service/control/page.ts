import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import send from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Exchange } from '../http/exchange';
import { Refusal } from '../http/refusal';
import { sendOutput } from '../jobs/downloads';
import type { Parts } from '../parts';

const pageFolder = join(__dirname, '../../page');
// `require` resolves to the build for Node; the build for browsers is one folder up.
const litHtml = dirname(dirname(require.resolve('lit-html')));

/** Adds the page at `/`. It needs nothing from the internet. */
export function addPage(app: FastifyInstance, { files, recorder, workbench }: Parts): void {
	app.get('/', async (_request, reply) => {
		const nonce = randomBytes(16).toString('base64');
		const page = await readFile(join(pageFolder, 'index.html'), 'utf8');
		return await reply
			.type('text/html; charset=utf-8')
			.headers({
				'cache-control': 'no-store',
				'content-security-policy':
					`default-src 'none'; script-src 'self' 'nonce-${nonce}'; style-src 'self'; ` +
					"img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; " +
					"frame-ancestors 'none'",
				'referrer-policy': 'no-referrer',
				'x-content-type-options': 'nosniff',
			})
			.send(page.replaceAll('{nonce}', nonce));
	});
	app.get<{ Params: { '*': string } }>(
		'/sandbox/page/lit-html/*',
		async (request, reply) => await sendFrom(litHtml, request.params['*'], request, reply),
	);
	app.get<{ Params: { '*': string } }>(
		'/sandbox/page/*',
		async (request, reply) => await sendFrom(pageFolder, request.params['*'], request, reply),
	);
	app.get<{ Params: { id: string }; Querystring: { size?: string } }>(
		'/sandbox/jobs/:id/picture',
		async (request, reply) => {
			const { id } = request.params;
			const output = files.byJob.get(id);
			if (!output) throw new Refusal(404, `There is no job ${id}.`);
			// The page's own pictures are not downloads: they are not counted, and no fault strikes.
			void reply.header('cache-control', 'private, max-age=86400, immutable');
			if (request.query.size === 'full') {
				await sendOutput(request, reply, output);
				return;
			}
			const { signal } = new Exchange(request, reply, recorder);
			const thumbnail = await workbench.shrink(output.file, signal);
			await reply.type('image/webp').send(thumbnail);
		},
	);
}

async function sendFrom(
	root: string,
	path: string,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const answer = await send(request.raw, `/${path}`, {
		root,
		cacheControl: false,
		index: false,
	});
	if (answer.type !== 'file') throw new Refusal(404, `The page has no file ${path}.`);
	const { statusCode, headers, stream } = answer;
	await reply
		.status(statusCode)
		.headers({ ...headers, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
		.send(stream);
}
