import type { ServerResponse } from 'node:http';

import { useEngine } from '../support/engine';
import { openTunnel, refuseTunnel, useProxy, type Tunnel } from '../support/proxy';
import { fox } from '../support/runs';

const proxy = useProxy();
const engine = useEngine();

const ATTEMPTS = 4;
const PAGE = '<html><h1>Access denied</h1></html>';

/** Runs the node through the proxy, or without one. */
async function run(scheme: 'http' | 'https', { isProxied = true, options = {} } = {}) {
	if (isProxied) proxy.use();
	const credential = { baseUrl: proxy.urlOf(scheme), apiKey: 'test-key' };
	const parameters = fox({ timeout: 5, ...options });
	const { error } = await engine().run({ credential, parameters });
	return { title: error?.message, advice: error?.description };
}

/** Answers with a page, or with nothing. */
const page = (status: number, body = PAGE) => {
	return (_request: unknown, response: ServerResponse) =>
		response.writeHead(status, { 'content-type': 'text/html' }).end(body);
};
const close: Tunnel = (wire) => wire.end();
const nonsense: Tunnel = (wire) => wire.end('220 mail.example.org ready\r\n\r\n');

describe('a proxy that opens no connection to the service', () => {
	it.each<[what: string, tunnel: Tunnel, why: string]>([
		['answers 403 with a page', refuseTunnel(403), 'the proxy answered with status 403'],
		[
			'asks for a password',
			refuseTunnel(407),
			'the proxy asks for a user name and password, status 407',
		],
		['answers 502', refuseTunnel(502), 'the proxy answered with status 502'],
		['answers 504 without a page', refuseTunnel(504, ''), 'the proxy answered with status 504'],
		['redirects to a login', refuseTunnel(302), 'the proxy answered with status 302'],
		['closes the connection', close, 'the proxy closed the connection'],
		['answers something else', nonsense, 'Parse Error: '],
	])('and %s: nothing was charged, so it is asked again', async (_what, tunnel, why) => {
		proxy.onConnect = tunnel;
		const { title, advice } = await run('https');

		expect(title).toContain(`The service could not be reached (${why}`);
		expect(advice).toMatch(/^Nothing was charged .*proxy/);
		expect(proxy.asked).toBe(ATTEMPTS);
		expect(proxy.requests).toHaveLength(0);
	});
});

describe('an answer through an open connection of the proxy', () => {
	it.each([502, 504])('with status %d may have been charged, so it is final', async (status) => {
		proxy.onCall = page(status);
		const { title, advice } = await run('https');

		expect(title).toContain(`A web page with status ${status}`);
		expect(advice).toMatch(/proxy.* Check 'Base URL'.* may have been charged/);
		expect(proxy.requests).toHaveLength(1);
	});

	it('is the service’s if it has a message', async () => {
		proxy.onCall = (_request, response) => response.writeHead(403).end('{"err":"Not for you"}');
		const { title, advice } = await run('https');

		expect(title).toBe('Not for you');
		expect(advice).toContain('subscribe');
	});
});

describe('a proxy for http, which receives the request itself', () => {
	it('and asks for a password: nothing was charged, so it is asked again', async () => {
		proxy.onRequest = page(407);
		const { title, advice } = await run('http');

		expect(title).toContain('the proxy asks for a user name and password, status 407');
		expect(advice).toMatch(/^Nothing was charged .*proxy/);
		expect(proxy.asked).toBe(ATTEMPTS);
	});
});

it('a service behind a proxy is used as any other', async () => {
	proxy.onCall = (_request, response) =>
		response.end('{"id":"1","output_url":"http://a.example/b"}');
	proxy.onConnect = openTunnel;
	proxy.use();
	const { rows } = await engine().run({
		credential: { baseUrl: proxy.urlOf('https'), apiKey: 'test-key' },
		parameters: { ...fox(), download: false },
	});

	expect(rows[0]?.json).toMatchObject({ id: '1' });
});
