import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseRule } from '../faults/parse';
import { faults } from '../faults/table';
import type { RecordedRequest } from '../types';
import { viewOf } from './callView';
import { integer, members, prices, rateLimit } from './checks';
import { LiveFeed } from './liveFeed';
import { addPage } from './page';
import type { Parts } from './parts';
import { reasonOf } from './reasonOf';
import { Refusal } from './refusal';

const words =
	'A sandbox of the image generation API, for building and testing. No AI model runs here: ' +
	'pictures are drawn, cut out and edited by plain rules, and nobody is billed.';

const routes = {
	'GET /': 'the page for people',
	'GET /sandbox': 'what this is, its routes and every fault',
	'GET /sandbox/ledger': 'every charged generation',
	'GET /sandbox/account': 'the allowance, the wallet, the month and the prices',
	'POST /sandbox/account/top-up': 'adds to the wallet, e.g. {"cents": 500}',
	'POST /sandbox/account/use-up': 'leaves nothing in the allowance and the wallet',
	'POST /sandbox/account/next-month': 'begins the next month, with a full allowance',
	'PUT /sandbox/account/prices': 'changes prices in cents, e.g. {"hd": 10}',
	'GET /sandbox/rate-limit': 'the rate limit, and how many calls it has refused',
	'PUT /sandbox/rate-limit':
		'sets it, e.g. {"calls": 10, "seconds": 60, "retryAfter": false}; retryAfter is true by default',
	'DELETE /sandbox/rate-limit': 'lifts it',
	'GET /sandbox/requests': 'the latest requests, refused ones and downloads too; keys are left out',
	'GET /sandbox/calls': 'the latest calls and what became of each, newest first (before, count)',
	'GET /sandbox/jobs/:id/picture': 'the picture of a job, at most 480 pixels wide (size=full)',
	'GET /sandbox/events': 'what happens, as server-sent events',
	'GET /sandbox/faults': 'the armed faults',
	'POST /sandbox/faults': 'arms a fault, e.g. {"fault": "rate-limit", "on": "text2img"}',
	'DELETE /sandbox/faults': 'forgets every armed fault',
	'POST /sandbox/reset': 'starts over: account, ledger, files, requests, faults and rate limit',
};

/** The same control over HTTP that a test has in its own process. Needs no key. */
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
	app.get('/sandbox', () => ({ sandbox: words, routes, faults: list() }));
	app.get('/sandbox/ledger', () => account.ledger);
	app.get('/sandbox/account', accountView);
	app.get('/sandbox/rate-limit', limitView);
	app.get('/sandbox/requests', () => recorder.requests.map(withoutKey));
	app.get('/sandbox/faults', () => queue.list());
	app.get<{ Querystring: Record<string, unknown> }>('/sandbox/calls', ({ query }) => {
		const number = (name: string, value: unknown, most: number) =>
			understood(() => integer(name, value === undefined ? most : Number(value), 1, most));
		const before = number('before', query['before'], Number.MAX_SAFE_INTEGER);
		return journal.before(before, number('count', query['count'], 50)).map(viewOf);
	});
	app.get('/sandbox/events', (_request, reply) => feed.open(reply));

	/** A change: what its body asks for, then what there is now. */
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
				const body = await jsonOf(request);
				await understood(() => make(body));
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
			const { cents } = members('The body', body, ['cents']);
			account.topUp(integer('cents', cents, 1, 1_000_000));
		},
		accountView,
	);
	change('POST', '/sandbox/account/use-up', () => account.useUp(), accountView);
	change('POST', '/sandbox/account/next-month', () => account.nextMonth(), accountView);
	change('PUT', '/sandbox/account/prices', (body) => account.setPrices(prices(body)), accountView);
	change('PUT', '/sandbox/rate-limit', (body) => limiter.set(rateLimit(body)), limitView);
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

/** The body of a control request; undefined if there is none. @throws Refusal 400 or 413 */
async function jsonOf({ raw }: FastifyRequest): Promise<unknown> {
	let body = '';
	raw.setEncoding('utf8');
	for await (const chunk of raw) {
		if (body.length < 1_000_000) body += String(chunk);
	}
	if (body.length >= 1_000_000) throw new Refusal(413, 'The body is larger than 1 MB.');
	return body === '' ? undefined : understood((): unknown => JSON.parse(body));
}

/** @throws Refusal 400 in the words of whatever `read` throws */
function understood<Value>(read: () => Value): Value {
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

function list(): { name: string; strikes: string; moment: string; words: string }[] {
	return Object.entries(faults).map(([name, { target, moment, words: does }]) => ({
		name,
		strikes: target,
		moment,
		words: does,
	}));
}
