import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod/v4';
import { check } from '../check';
import { checkRule } from '../faults/rules';
import { faults } from '../faults/table';
import { Refusal } from './refusal';
import type { Service } from './service';
import { accountView, limitView, stateView } from './views';

const maxCents = 1_000_000;
const topUp = z.strictObject({ cents: z.int().min(1).max(maxCents) });

export const rateLimit = z.strictObject({
	calls: z.int().min(1).max(1_000_000),
	seconds: z.number().gt(0).max(86_400),
	retryAfter: z.boolean().optional(),
});

/** A route of the control API: it changes something, shows something, or both. */
interface Route {
	about: string;
	/** @throws Error that says what is wrong with the body */
	change?(service: Service, body: unknown): void | Promise<void>;
	view?(service: Service): unknown;
}

const routes: Record<string, Route> = {
	'GET /sandbox': {
		about: 'what the sandbox is, its routes and every fault',
		view: () => aboutView(),
	},
	'GET /sandbox/ledger': {
		about: 'every charged generation',
		view: ({ account }) => account.ledger,
	},
	'GET /sandbox/state': {
		about: 'account, rate limit, armed faults and the latest requests, as the page shows them',
		view: stateView,
	},
	'GET /sandbox/account': {
		about: 'the allowance, the wallet, the month and the prices',
		view: accountView,
	},
	'POST /sandbox/account/top-up': {
		about: 'adds to the wallet, e.g. {"cents": 500}',
		change: ({ account }, body) => account.topUp(check(topUp, body).cents),
		view: accountView,
	},
	'POST /sandbox/account/use-up': {
		about: 'empties the allowance and the wallet',
		change: ({ account }) => account.useUp(),
		view: accountView,
	},
	'POST /sandbox/account/next-month': {
		about: 'starts the next month, with a full allowance',
		change: ({ account }) => account.nextMonth(),
		view: accountView,
	},
	'GET /sandbox/rate-limit': {
		about: 'the rate limit, and how many calls it has refused',
		view: limitView,
	},
	'PUT /sandbox/rate-limit': {
		about: 'sets it, e.g. {"calls": 10, "seconds": 60, "retryAfter": false}',
		change: ({ limiter }, body) => limiter.set(check(rateLimit, body)),
		view: limitView,
	},
	'DELETE /sandbox/rate-limit': {
		about: 'removes it',
		change: ({ limiter }) => limiter.set(undefined),
		view: limitView,
	},
	'GET /sandbox/faults': {
		about: 'the armed faults',
		view: (service) => service.faults.list(),
	},
	'POST /sandbox/faults': {
		about: 'arms a fault, e.g. {"fault": "rate-limit", "on": "text2img", "times": 2}',
		change: (service, body) => service.faults.arm(checkRule(body)),
		view: (service) => service.faults.list(),
	},
	'DELETE /sandbox/faults': {
		about: 'disarms every fault',
		change: (service) => service.faults.disarm(),
		view: (service) => service.faults.list(),
	},
	'POST /sandbox/reset': {
		about: 'resets account, ledger, files, requests, faults and rate limit',
		change: async (service) => await service.reset(),
		view: accountView,
	},
};

/** Adds the control API, which needs no key. */
export function addControl(app: FastifyInstance, service: Service): void {
	for (const [name, route] of Object.entries(routes)) {
		const [method = '', url = ''] = name.split(' ');
		app.route({
			method,
			url,
			handler: async (request, reply) => {
				if (route.change) await change(route, service, request);
				await reply.send(route.view?.(service));
			},
		});
	}
}

/** @throws Refusal 400 that says what is wrong with the body */
async function change(route: Route, service: Service, request: FastifyRequest): Promise<void> {
	let body = '';
	for await (const chunk of request.raw.setEncoding('utf8')) body += String(chunk);
	try {
		await route.change?.(service, body === '' ? undefined : JSON.parse(body));
	} catch (error) {
		throw new Refusal(400, (error as Error).message);
	}
}

function aboutView() {
	return {
		sandbox:
			'A local image generation service for building and testing workflows. No AI model runs ' +
			'here: simple rules draw, cut out and edit the pictures, and nobody is billed.',
		routes: Object.fromEntries(Object.entries(routes).map(([name, { about }]) => [name, about])),
		faults: Object.entries(faults).map(([name, { target, moment, description }]) => ({
			name,
			target,
			moment,
			description,
		})),
	};
}

export type AboutView = ReturnType<typeof aboutView>;
