import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Refusal, shown } from './refusal';

interface Door {
	/** The address that the sandbox listens on. */
	host: string;
	/** Further host names that calls may be addressed to. */
	allowHosts: readonly string[];
}

/**
 * Refuses a call that is addressed to a name which is not this machine's, so that no web page can
 * reach the sandbox through a name of its own that suddenly points here (DNS rebinding).
 *
 * @throws Refusal 400 without a Host header where HTTP demands one, 421 for a foreign name
 */
export function checkHost({ headers, raw }: FastifyRequest, door: Door): void {
	const { host } = headers;
	if (host === undefined || host === '') {
		if (raw.httpVersion === '1.0') return;
		throw new Refusal(400, 'The header Host is missing.');
	}
	const name = nameOf(host);
	if (name !== undefined && isOurs(name, door)) return;
	throw new Refusal(
		421,
		`The header Host is ${shown(host)}; this sandbox answers to localhost and 127.0.0.1. ` +
			'To allow another name, start it with --allow-host.',
	);
}

/**
 * Refuses a change that another web page asks for; a page may send such requests to any address.
 *
 * @throws Refusal 403
 */
export function checkOrigin({ headers, method }: FastifyRequest): void {
	if (method === 'GET' || method === 'HEAD') return;
	const { origin, host = '', 'sec-fetch-site': site } = headers;
	const foreign = origin !== undefined && origin.replace(/^https?:\/\//, '') !== host;
	if (!foreign && (site === undefined || site === 'same-origin' || site === 'none')) return;
	const from = origin === undefined ? `Sec-Fetch-Site is ${shown(String(site))}` : shown(origin);
	throw new Refusal(
		403,
		`Another web page (${from}) may not control this sandbox; use its own page or a program.`,
	);
}

/** The host name without its port, as URLs spell it; undefined if it is none. */
function nameOf(host: string): string | undefined {
	const address = `http://${host}`;
	if (/[\s/@?#\\]/.test(host) || !URL.canParse(address)) return undefined;
	return new URL(address).hostname.replace(/^\[|\]$/g, '');
}

function isOurs(name: string, { host, allowHosts }: Door): boolean {
	if (/^(.+\.)?localhost$|^::1$/.test(name)) return true;
	if (isIP(name) === 4 && name.startsWith('127.')) return true;
	const listensEverywhere = host === '0.0.0.0' || host === '::';
	if (listensEverywhere && isIP(name) !== 0) return true;
	return [host, ...allowHosts].some((own) => nameOf(isIP(own) === 6 ? `[${own}]` : own) === name);
}
