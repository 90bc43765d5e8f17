import type { FastifyInstance } from 'fastify';
import { parseRule } from '../faults/parse';
import { faults } from '../faults/table';
import type { Parts } from './parts';
import { reasonOf } from './reasonOf';
import { Refusal } from './refusal';

const words =
	'A sandbox of the image generation API, for building and testing. No AI model runs here: ' +
	'pictures are drawn, cut out and edited by plain rules, and nobody is billed.';

const routes = {
	'GET /sandbox': 'this page',
	'GET /sandbox/ledger': 'every charged generation',
	'GET /sandbox/account': 'what is left of the allowance and the wallet',
	'GET /sandbox/requests': 'every request received, refused ones and downloads too',
	'POST /sandbox/faults': 'arms a fault, e.g. {"fault": "rate-limit", "on": "text2img"}',
	'DELETE /sandbox/faults': 'forgets every armed fault',
};

/** The same control over HTTP that a test has in its own process. Needs no key. */
export function addControl(app: FastifyInstance, parts: Parts): void {
	const { account, faults: queue, recorder } = parts;
	app.get(
		'/',
		async (_request, reply) => await reply.type('text/html; charset=utf-8').send(page()),
	);
	app.get('/sandbox', () => ({ sandbox: words, routes, faults: list() }));
	app.get('/sandbox/ledger', () => account.ledger);
	app.get('/sandbox/account', () => ({
		allowanceLeft: account.allowanceLeft,
		walletCentsLeft: account.walletCentsLeft,
	}));
	app.get('/sandbox/requests', () => recorder.requests);
	app.delete('/sandbox/faults', async (_request, reply) => {
		queue.disarm();
		return await reply.status(204).send();
	});
	app.post('/sandbox/faults', async (request, reply) => {
		let body = '';
		request.raw.setEncoding('utf8');
		for await (const chunk of request.raw) body += String(chunk);
		try {
			queue.arm(parseRule(JSON.parse(body)));
		} catch (error) {
			throw new Refusal(400, reasonOf(error));
		}
		return await reply.status(201).send({ armed: true });
	});
}

function list(): { name: string; strikes: string; moment: string; words: string }[] {
	return Object.entries(faults).map(([name, { target, moment, words: does }]) => ({
		name,
		strikes: target,
		moment,
		words: does,
	}));
}

function page(): string {
	const items = Object.entries(routes).map(
		([route, does]) => `<li><code>${route}</code>: ${does}</li>`,
	);
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Image API sandbox</title>
<style>body { font: 16px/1.5 sans-serif; max-width: 42em; margin: 3em auto; padding: 0 1em }</style>
<h1>Image API sandbox</h1>
<p>${words}</p>
<p>The tools are <code>POST /api/text2img</code>, <code>/api/background-remover</code> and
<code>/api/image-editor</code>, with the header <code>api-key</code>.</p>
<ul>
${items.join('\n')}
</ul>
</html>
`;
}
