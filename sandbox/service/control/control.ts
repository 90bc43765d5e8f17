import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { allowed, check } from '../../check';
import { baseOf } from '../http/exchange';
import { reasonOf } from '../http/reasonOf';
import { quote, Refusal } from '../http/refusal';
import type { Parts } from '../parts';
import { LiveFeed } from './liveFeed';
import { addPage } from './page';
import { routes, type Context } from './routes';
import { stateView } from './views';

/** Adds the page and the control API, which needs no key. */
export function addControl(app: FastifyInstance, parts: Parts): void {
	const feed = new LiveFeed(parts.journal);
	addPage(app, parts);
	app.get('/sandbox/events', (request, reply) => {
		const { subscriber } = contextOf(request, parts);
		feed.open(reply, () => stateView(subscriber, parts));
	});
	for (const [name, route] of Object.entries(routes)) {
		const [method = '', url = ''] = name.split(' ');
		if (!route.view && !route.change) continue;
		app.route({
			method,
			url,
			handler: async (request, reply) => {
				const context = contextOf(request, parts);
				if (route.change) {
					const body = await readJson(request);
					await orBadRequest(() => route.change?.(context, body));
					feed.soon();
				}
				const view = orBadRequest(() => route.view?.(context));
				return await reply.status(route.status ?? 200).send(view);
			},
		});
	}
}

const queryOf = z.record(z.string(allowed('a single text')));

/** What a request is about: the key that its query names, or the first one. */
function contextOf(request: FastifyRequest, parts: Parts): Context {
	const { key, ...query } = orBadRequest(() => check('The query', queryOf, request.query));
	const context = { subscriber: parts.subscribers.first, parts, query, base: baseOf(request) };
	if (key === undefined) return context;
	const subscriber = parts.subscribers.find(key);
	if (!subscriber) throw new Refusal(404, `There is no API key ${quote(key)}.`);
	return { ...context, subscriber, key };
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
