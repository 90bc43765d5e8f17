import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Settings } from '../settings';
import { quote, Refusal } from './refusal';

type AcceptedHosts = Pick<Settings, 'host' | 'allowHosts'>;

/**
 * Refuses requests for a foreign host name, to prevent DNS rebinding: a web page could point its own
 * domain at this machine.
 *
 * @throws Refusal 400 if HTTP requires a Host header and it is missing, 421 for a foreign name
 */
export function checkHost({ headers, raw }: FastifyRequest, accepted: AcceptedHosts): void {
	const { host } = headers;
	if (host === undefined || host === '') {
		if (raw.httpVersion === '1.0') return;
		throw new Refusal(400, 'The Host header is missing.');
	}
	const name = hostName(host);
	if (name !== undefined && isAccepted(name, accepted)) return;
	throw new Refusal(
		421,
		`The Host header is ${quote(host)}; this sandbox accepts localhost and 127.0.0.1. ` +
			'To accept another name, start it with --allow-host.',
	);
}

/**
 * Refuses a change requested by another web page: browsers let a page send requests anywhere.
 *
 * @throws Refusal 403
 */
export function checkOrigin({ headers, method }: FastifyRequest): void {
	if (method === 'GET' || method === 'HEAD') return;
	const { origin, host = '', 'sec-fetch-site': site } = headers;
	const foreign = origin !== undefined && origin.replace(/^https?:\/\//, '') !== host;
	if (!foreign && (site === undefined || site === 'same-origin' || site === 'none')) return;
	const from = origin === undefined ? `Sec-Fetch-Site is ${quote(String(site))}` : quote(origin);
	throw new Refusal(
		403,
		`Another web page (${from}) may not control this sandbox. Use the sandbox's own page.`,
	);
}

/** The host name without its port, normalized like a URL; undefined if it is invalid. */
function hostName(host: string): string | undefined {
	const address = `http://${host}`;
	if (/[\s/@?#\\]/.test(host) || !URL.canParse(address)) return undefined;
	return new URL(address).hostname.replace(/^\[|\]$/g, '');
}

function isAccepted(name: string, { host, allowHosts }: AcceptedHosts): boolean {
	if (/^(.+\.)?localhost$|^::1$/.test(name)) return true;
	if (isIP(name) === 4 && name.startsWith('127.')) return true;
	const listensEverywhere = host === '0.0.0.0' || host === '::';
	if (listensEverywhere && isIP(name) !== 0) return true;
	return [host, ...allowHosts].some(
		(other) => hostName(isIP(other) === 6 ? `[${other}]` : other) === name,
	);
}
