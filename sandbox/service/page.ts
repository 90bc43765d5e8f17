import { dirname, join } from 'node:path';
import send from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendOutput } from './downloads';
import { Refusal } from './refusal';
import type { Service } from './service';

const pageFolder = join(__dirname, '../page');
// `require` resolves to the build for Node; the build for browsers is one folder up.
const litHtml = dirname(dirname(require.resolve('lit-html')));

type FileRequest = FastifyRequest<{ Params: { '*': string } }>;

/** Adds the page at `/`. It needs nothing from the internet. */
export function addPage(app: FastifyInstance, { files }: Service): void {
	app.get('/', async (request, reply) => await sendFrom(pageFolder, 'index.html', request, reply));
	app.get(
		'/sandbox/lit-html/*',
		async (request: FileRequest, reply) =>
			await sendFrom(litHtml, request.params['*'], request, reply),
	);
	app.get(
		'/sandbox/page/*',
		async (request: FileRequest, reply) =>
			await sendFrom(pageFolder, request.params['*'], request, reply),
	);
	// The page's own pictures are not downloads: they are not recorded, and no fault strikes.
	app.get<{ Params: { id: string } }>('/sandbox/jobs/:id/picture', async (request, reply) => {
		const { id } = request.params;
		const output = files.find(id);
		if (!output) throw new Refusal(404, `There is no job ${id}.`);
		await sendOutput(reply.header('cache-control', 'private, immutable, max-age=86400'), output);
	});
}

async function sendFrom(
	root: string,
	path: string,
	{ raw }: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const answer = await send(raw, `/${path}`, { root, cacheControl: false, index: false });
	if (answer.type !== 'file') throw new Refusal(404, `The page has no file ${path}.`);
	await reply
		.status(answer.statusCode)
		.headers({
			...answer.headers,
			'cache-control': 'no-cache',
			'x-content-type-options': 'nosniff',
			// Text from outside could not run even if it became markup.
			'content-security-policy':
				"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
				"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		})
		.send(answer.stream);
}
