import type { FastifyRequest } from 'fastify';
import { tools } from '../tools';
import type { ToolDefinition } from '../tools/tool';
import type { SandboxOptions } from '../types';
import { Refusal } from './refusal';

/**
 * Lets a call of a tool in.
 *
 * @returns its key
 * @throws Refusal 404 for an unknown path, 405 for another method than POST, 401 or 403 for the key
 */
export function admit(
	{ url, method, headers }: FastifyRequest,
	tool: ToolDefinition | undefined,
	{ apiKey, unsubscribedKey }: Pick<SandboxOptions, 'apiKey' | 'unsubscribedKey'>,
): asserts tool is ToolDefinition {
	if (!tool) {
		const known = tools.map(({ id }) => id).join(', ');
		throw new Refusal(404, `There is no tool at ${url}. There are: ${known}.`);
	}
	if (method !== 'POST') {
		throw new Refusal(405, `${method} is not allowed here; use POST.`, { allow: 'POST' });
	}
	const key = headers['api-key'];
	if (key === undefined || key === '') throw new Refusal(401, 'The header api-key is missing.');
	if (key === unsubscribedKey) {
		throw new Refusal(403, 'API access requires a paid subscription; this key has none.');
	}
	if (key !== apiKey) throw new Refusal(401, 'The api-key is not valid.');
}
