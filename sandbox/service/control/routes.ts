import { z } from 'zod';
import { allowed, check, fieldsOf } from '../../check';
import { checkRule } from '../../faults/rules';
import { checkPrices, checkRateLimit, checkTopUp } from '../account/checks';
import type { Subscriber } from '../account/subscribers';
import { openApi } from '../http/openApi';
import type { Parts } from '../parts';
import { toCallView } from './callView';
import { aboutView, accountView, limitView, withoutSecrets } from './views';

/** What a control request is about. */
export interface Context {
	/** The holder of `key`, or of the first key. */
	subscriber: Subscriber;
	/** The API key that the query names, if it names one. */
	key?: string;
	parts: Parts;
	/** `http://host` as the client reached it. */
	base: string;
	query: Record<string, string | undefined>;
}

/** A control request. One without `view` and `change` is added elsewhere. */
export interface Route {
	/** What it does or shows; reference.md lists it. */
	about: string;
	/** Makes a change. @throws Error that says what is wrong with the body */
	change?(context: Context, body: unknown): void | Promise<void>;
	/** Returns the response, after the change. */
	view?(context: Context): unknown;
	/** Status of the response; default 200. */
	status?: number;
}

const pageSize = 50;
const latest = Number.MAX_SAFE_INTEGER;

/** A number in a query, which is text. */
const count = (max: number) =>
	z.coerce
		.number(allowed(`an integer from 1 to ${max}`))
		.int()
		.min(1)
		.max(max)
		.default(max);

const callsQuery = fieldsOf({ before: count(latest), count: count(pageSize) });

export const routes: Record<string, Route> = {
	'GET /': { about: 'the page' },
	'GET /openapi.json': {
		about: 'the service in OpenAPI 3.0',
		view: ({ base }) => openApi(base),
	},
	'GET /sandbox': {
		about: 'what the sandbox is, its tools, routes and every fault',
		view: () => aboutView(routes),
	},
	'GET /sandbox/ledger': {
		about: 'every charged generation',
		view: ({ subscriber }) => subscriber.ledger,
	},
	'GET /sandbox/account': {
		about: 'the allowance, the wallet, the month and the prices',
		view: ({ subscriber }) => accountView(subscriber),
	},
	'POST /sandbox/account/top-up': {
		about: 'adds to the wallet, e.g. {"cents": 500}',
		change: ({ subscriber }, body) => subscriber.account.topUp(checkTopUp(body)),
		view: ({ subscriber }) => accountView(subscriber),
	},
	'POST /sandbox/account/use-up': {
		about: 'empties the allowance and the wallet',
		change: ({ subscriber }) => subscriber.account.useUp(),
		view: ({ subscriber }) => accountView(subscriber),
	},
	'POST /sandbox/account/next-month': {
		about: 'starts the next month, with a full allowance',
		change: ({ subscriber }) => subscriber.account.nextMonth(),
		view: ({ subscriber }) => accountView(subscriber),
	},
	'PUT /sandbox/account/prices': {
		about: 'changes prices in US cents, e.g. {"hd": 10}',
		change: ({ subscriber }, body) => subscriber.account.setPrices(checkPrices(body)),
		view: ({ subscriber }) => accountView(subscriber),
	},
	'GET /sandbox/rate-limit': {
		about: 'the rate limit, and how many calls it has refused',
		view: ({ subscriber }) => limitView(subscriber),
	},
	'PUT /sandbox/rate-limit': {
		about:
			'sets the rate limit, e.g. {"calls": 10, "seconds": 60, "retryAfter": false}; ' +
			'retryAfter is true by default',
		change: ({ subscriber }, body) => subscriber.limitRate(checkRateLimit(body)),
		view: ({ subscriber }) => limitView(subscriber),
	},
	'DELETE /sandbox/rate-limit': {
		about: 'removes the rate limit',
		change: ({ subscriber }) => subscriber.limitRate(undefined),
		status: 204,
	},
	'GET /sandbox/requests': {
		about:
			'the latest requests, including refused ones and downloads, without their keys and passwords',
		view: ({ parts, key }) =>
			parts.recorder.requests
				.filter(({ headers }) => key === undefined || headers['api-key'] === key)
				.map(withoutSecrets),
	},
	'GET /sandbox/calls': {
		about:
			'the latest calls and their outcomes, newest first (query: before, a number; count, ' +
			'1 to 50, default 50)',
		view: ({ parts, key, query }) => {
			const { before, count } = check('The query', callsQuery, query);
			return parts.journal.before(before, count, key).map(toCallView);
		},
	},
	'GET /sandbox/jobs/:id/picture': {
		about: "a job's picture, at most 480 pixels wide (query: size=full for the original)",
	},
	'GET /sandbox/events': { about: 'changes as server-sent events' },
	'GET /sandbox/faults': {
		about: 'the armed faults',
		view: ({ subscriber }) => subscriber.faults.list(),
	},
	'POST /sandbox/faults': {
		about: 'arms a fault, e.g. {"fault": "rate-limit", "on": "text2img"}',
		change: ({ subscriber }, body) => subscriber.arm(checkRule(body)),
		view: () => ({ armed: true }),
		status: 201,
	},
	'DELETE /sandbox/faults': {
		about: 'disarms every fault',
		change: ({ subscriber }) => subscriber.disarm(),
		status: 204,
	},
	'POST /sandbox/reset': {
		about: 'resets account, ledger, files, requests, faults and rate limit',
		change: async ({ parts, key }) => await parts.reset(key),
		view: ({ subscriber }) => accountView(subscriber),
	},
};
