import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { quote, Refusal } from './refusal';
import type { Settings } from './service';

/**
 * Refuses requests for a foreign host name, to prevent DNS rebinding: a web page could point its own
 * domain at this machine.
 *
 * @throws Refusal 421
 */
export function checkHost(
	{ hostname }: FastifyRequest,
	{ host, allowHosts }: Pick<Settings, 'host' | 'allowHosts'>,
): void {
	const name = hostname.toLowerCase().replace(/^\[|\]$/g, '');
	if (isIP(name) !== 0 || /^(.+\.)?localhost$/.test(name)) return;
	if ([host, ...allowHosts].some((other) => other.toLowerCase() === name)) return;
	throw new Refusal(
		421,
		`The Host header is ${quote(hostname)}; this sandbox accepts localhost and IP addresses. ` +
			'To accept another name, start it with --allow-host.',
	);
}

/**
 * Refuses a change requested by another web page: browsers let a page send requests anywhere.
 *
 * @throws Refusal 403
 */
export function checkOrigin({ headers, host, method }: FastifyRequest): void {
	const { origin } = headers;
	if (method === 'GET' || origin === undefined) return;
	if (origin.replace(/^https?:\/\//, '') === host) return;
	throw new Refusal(
		403,
		`Another web page (${quote(origin)}) may not control this sandbox. Use the sandbox's own page.`,
	);
}
