import type { FastifyRequest } from 'fastify';
import { tools } from '../../tools';
import type { ToolDefinition } from '../../tools/tool';
import type { Subscriber, Subscribers } from '../account/subscribers';
import { Refusal } from '../http/refusal';

/**
 * Checks path and method of a call.
 *
 * @throws Refusal 404 for an unknown path, 405 for any method but POST
 */
export function checkTool(
	{ url, method }: FastifyRequest,
	tool: ToolDefinition | undefined,
): asserts tool is ToolDefinition {
	if (!tool) {
		const known = tools.map(({ id }) => id).join(', ');
		throw new Refusal(404, `There is no tool at ${url}. Available tools: ${known}.`);
	}
	if (method !== 'POST') {
		throw new Refusal(405, `${method} is not allowed here; use POST.`, { allow: 'POST' });
	}
}

/** Returns the holder of a call's key. @throws Refusal 401 or 403 for the key */
export function authenticate(
	request: FastifyRequest,
	subscribers: Subscribers,
	unsubscribedKey: string,
): Subscriber {
	const keys = keysOf(request);
	const [key = ''] = keys;
	if (keys.length > 1) {
		throw new Refusal(401, `The api-key header was sent with ${keys.length} different values.`);
	}
	if (key === '') throw new Refusal(401, 'The api-key header is missing.');
	if (key === unsubscribedKey) {
		throw new Refusal(403, 'API access requires a paid subscription; this key has none.');
	}
	const subscriber = subscribers.find(key);
	if (!subscriber) throw new Refusal(401, 'The api-key is not valid.');
	return subscriber;
}

/** The different values of a request's `api-key` headers. */
export function keysOf({ raw }: FastifyRequest): string[] {
	return [...new Set(raw.headersDistinct['api-key'])];
}
