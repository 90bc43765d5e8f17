import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseRule } from '../../faults/parse';
import { faults } from '../../faults/table';
import type { RecordedRequest } from '../../types';
import { checkInteger, checkObject, checkPrices, checkRateLimit } from '../account/checks';
import { reasonOf } from '../http/reasonOf';
import { Refusal } from '../http/refusal';
import type { Parts } from '../parts';
import { toCallView } from './callView';
import { LiveFeed } from './liveFeed';
import { addPage } from './page';

const about =
	'A local image generation service for building and testing workflows. No AI model runs here: ' +
	'simple rules draw, cut out and edit the pictures, and nobody is billed.';

const routes = {
	'GET /': 'the page',
	'GET /sandbox': 'what the sandbox is, its routes and every fault',
	'GET /sandbox/ledger': 'every charged generation',
	'GET /sandbox/account': 'the allowance, the wallet, the month and the prices',
	'POST /sandbox/account/top-up': 'adds to the wallet, e.g. {"cents": 500}',
	'POST /sandbox/account/use-up': 'empties the allowance and the wallet',
	'POST /sandbox/account/next-month': 'starts the next month, with a full allowance',
	'PUT /sandbox/account/prices': 'changes prices in US cents, e.g. {"hd": 10}',
	'GET /sandbox/rate-limit': 'the rate limit, and how many calls it has refused',
	'PUT /sandbox/rate-limit':
		'sets the rate limit, e.g. {"calls": 10, "seconds": 60, "retryAfter": false}; retryAfter is true by default',
	'DELETE /sandbox/rate-limit': 'removes the rate limit',
	'GET /sandbox/requests':
		'the latest requests, including refused ones and downloads, without their keys',
	'GET /sandbox/calls': 'the latest calls and their outcomes, newest first (query: before, count)',
	'GET /sandbox/jobs/:id/picture':
		"a job's picture, at most 480 pixels wide (query: size=full for the original)",
	'GET /sandbox/events': 'changes as server-sent events',
	'GET /sandbox/faults': 'the armed faults',
	'POST /sandbox/faults': 'arms a fault, e.g. {"fault": "rate-limit", "on": "text2img"}',
	'DELETE /sandbox/faults': 'disarms every fault',
	'POST /sandbox/reset': 'resets account, ledger, files, requests, faults and rate limit',
};

/** Adds the page and the control API, which needs no key. */
export function addControl(app: FastifyInstance, parts: Parts): void {
	const { account, faults: queue, journal, limiter, recorder, settings } = parts;
	const accountView = () => {
		const { month, allowance, allowanceLeft, walletCentsLeft, prices: current } = account;
		return { month, allowance, allowanceLeft, walletCentsLeft, prices: current };
	};
	const limitView = () => ({ limit: limiter.limit ?? null, refused: limiter.refused });
	const feed = new LiveFeed(journal, () => ({
		apiKey: settings.apiKey,
		account: accountView(),
		rateLimit: limitView(),
		faults: queue.list(),
		calls: journal.count,
		charged: account.ledger.length,
	}));

	addPage(app, parts);
	app.get('/sandbox', () => ({ sandbox: about, routes, faults: listFaults() }));
	app.get('/sandbox/ledger', () => account.ledger);
	app.get('/sandbox/account', accountView);
	app.get('/sandbox/rate-limit', limitView);
	app.get('/sandbox/requests', () => recorder.requests.map(withoutKey));
	app.get('/sandbox/faults', () => queue.list());
	app.get<{ Querystring: Record<string, unknown> }>('/sandbox/calls', ({ query }) => {
		const number = (name: string, value: unknown, most: number) =>
			orBadRequest(() => checkInteger(name, value === undefined ? most : Number(value), 1, most));
		const before = number('before', query['before'], Number.MAX_SAFE_INTEGER);
		return journal.before(before, number('count', query['count'], 50)).map(toCallView);
	});
	app.get('/sandbox/events', (_request, reply) => feed.open(reply));

	/** Adds a route that makes a change and responds with the new state. */
	const change = (
		method: 'POST' | 'PUT' | 'DELETE',
		url: string,
		make: (body: unknown) => void | Promise<void>,
		view: () => unknown,
		status = 200,
	) => {
		app.route({
			method,
			url,
			handler: async (request, reply) => {
				const body = await readJson(request);
				await orBadRequest(() => make(body));
				feed.soon();
				return await reply.status(status).send(view());
			},
		});
	};
	const nothing = () => undefined;
	change(
		'POST',
		'/sandbox/account/top-up',
		(body) => {
			const { cents } = checkObject('The body', body, ['cents']);
			account.topUp(checkInteger('cents', cents, 1, 1_000_000));
		},
		accountView,
	);
	change('POST', '/sandbox/account/use-up', () => account.useUp(), accountView);
	change('POST', '/sandbox/account/next-month', () => account.nextMonth(), accountView);
	change(
		'PUT',
		'/sandbox/account/prices',
		(body) => account.setPrices(checkPrices(body)),
		accountView,
	);
	change('PUT', '/sandbox/rate-limit', (body) => limiter.set(checkRateLimit(body)), limitView);
	change('DELETE', '/sandbox/rate-limit', () => limiter.set(undefined), nothing, 204);
	change(
		'POST',
		'/sandbox/faults',
		(body) => queue.arm(parseRule(body)),
		() => ({ armed: true }),
		201,
	);
	change('DELETE', '/sandbox/faults', () => queue.disarm(), nothing, 204);
	change('POST', '/sandbox/reset', async () => await parts.reset(), accountView);
}

/** Reads the body of a control request; undefined if there is none. @throws Refusal 400 or 413 */
async function readJson({ raw }: FastifyRequest): Promise<unknown> {
	let body = '';
	raw.setEncoding('utf8');
	for await (const chunk of raw) {
		if (body.length < 1_000_000) body += String(chunk);
	}
	if (body.length >= 1_000_000) throw new Refusal(413, 'The body is larger than 1 MB.');
	return body === '' ? undefined : orBadRequest((): unknown => JSON.parse(body));
}

/** @throws Refusal 400 with the message of what `read` throws */
function orBadRequest<Value>(read: () => Value): Value {
	try {
		return read();
	} catch (error) {
		throw new Refusal(400, reasonOf(error));
	}
}

function withoutKey(request: RecordedRequest): RecordedRequest {
	if (request.headers['api-key'] === undefined) return request;
	return { ...request, headers: { ...request.headers, 'api-key': '***' } };
}

function listFaults(): { name: string; strikes: string; moment: string; words: string }[] {
	return Object.entries(faults).map(([name, { target, moment, description }]) => ({
		name,
		strikes: target,
		moment,
		words: description,
	}));
}
