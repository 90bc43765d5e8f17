import type { Socket } from 'node:net';

import { useEngine } from '../support/engine';
import { largePng } from '../support/images';
import { refuseTunnel, useProxy, type Tunnel } from '../support/proxy';
import { fox, removeBackground } from '../support/runs';
import { useUnconnectableServer } from '../support/useUnconnectableServer';
import { useWireService } from '../support/wireService';

const engine = useEngine();
const proxy = useProxy();
const service = useWireService();
const unconnectableServer = useUnconnectableServer();

const MIB = 1024 ** 2;
/** A retry would be a second request: four are sent where nothing can be charged. */
const ATTEMPTS = 4;
const REFUSED = 9;
const NOTHING = 'Nothing was charged';
const MAYBE = 'You may have been charged.';

/** A file that stands in the item itself, as that of a webhook or of a Code node. */
const photo = (mebibytes: number) => ({
	data: largePng(mebibytes).toString('base64'),
	mimeType: 'image/png',
	fileName: 'photo.png',
});

/** How n8n reaches the service. */
const ROUTES = {
	http: { scheme: 'http', isProxied: false },
	https: { scheme: 'https', isProxied: false },
	'http through a proxy': { scheme: 'http', isProxied: true },
	'https through a proxy': { scheme: 'https', isProxied: true },
} as const;
type Route = keyof typeof ROUTES;
const ALL = Object.keys(ROUTES) as Route[];
const SECURE: Route[] = ['https', 'https through a proxy'];

/** What a service, a gateway or a line does to a connection. */
const DEEDS: Record<string, (wire: Socket) => void> = {
	'resets the connection': (wire) => wire.resetAndDestroy(),
	'closes the connection': (wire) => wire.destroy(),
	'stands still until Timeout': (wire) => wire.pause(),
	'goes on without encryption': (wire) => wire.end('no TLS'),
};
const RESETS = 'resets the connection';
/** Each deed once, and each route. */
const WAYS: Array<[Route, string]> = [
	['http', RESETS],
	['http', 'closes the connection'],
	['http', 'stands still until Timeout'],
	['https', RESETS],
	['https', 'goes on without encryption'],
	['http through a proxy', RESETS],
	['https through a proxy', RESETS],
];

/** Answers a request, wherever the connection leads. */
const answerWith = (status: number, body: string, header = 'Content-Type: text/html') => {
	service.onBytes = (_wire, _received, stream) =>
		stream.end(
			[`HTTP/1.1 ${status} Yes`, header, `Content-Length: ${body.length}`, '', body].join('\r\n'),
		);
};
const PAGE = '<html><h1>Access denied</h1></html>';

/** Runs the node, with a prompt or with a photo of this size. @returns what the message says */
async function send(
	route: Route,
	{ mebibytes = 0, baseUrl = service.urlOf(ROUTES[route].scheme) } = {},
) {
	if (ROUTES[route].isProxied) proxy.use();
	const options = { timeout: 1 };
	const { error } = await engine().run({
		credential: { baseUrl, apiKey: 'test-key' },
		parameters: mebibytes > 0 ? removeBackground({ options }) : fox(options),
		items: [{ json: {}, binary: mebibytes > 0 ? { data: photo(mebibytes) } : {} }],
	});
	return `${error?.message}. ${error?.description}`;
}

describe('nothing was charged, and the request is sent again, if', () => {
	it.each(ALL)('there is no connection: %s', async (route) => {
		if (ROUTES[route].isProxied) proxy.use(REFUSED);
		const { error } = await engine().run({
			credential: { baseUrl: `${ROUTES[route].scheme}://127.0.0.1:${REFUSED}`, apiKey: 'a-key' },
			parameters: fox(),
		});

		expect(error?.message).toContain('could not be reached (connect ECONNREFUSED');
		expect(error?.description).toContain(NOTHING);
	});

	it('the name of the host is unknown', async () => {
		const said = await send('https', { baseUrl: 'https://nowhere.invalid' });

		expect(said).toMatch(/could not be reached \(getaddrinfo .+Nothing was charged/);
	});

	it('no connection is there in time', async () => {
		const said = await send('http', { baseUrl: unconnectableServer(), mebibytes: 1 });

		expect(said).toContain('could not be reached (the connection timed out)');
		expect(said).toContain(NOTHING);
	});

	it.each<[what: string, tunnel: Tunnel, why: string]>([
		['answers 403 with a page', refuseTunnel(403), 'the proxy answered with status 403'],
		[
			'asks for a password',
			refuseTunnel(407),
			'the proxy asks for a user name and password, status 407',
		],
		['answers 504 without a page', refuseTunnel(504, ''), 'the proxy answered with status 504'],
		['closes the connection', (wire) => wire.end(), 'the proxy closed the connection'],
		['speaks no HTTP', (wire) => wire.end('220 mail.example.org ready\r\n\r\n'), 'Parse Error: '],
	])('the proxy opens no connection, and %s', async (_what, tunnel, why) => {
		proxy.onConnect = tunnel;
		const said = await send('https through a proxy');

		expect(said).toContain(`The service could not be reached (${why}`);
		expect(said).toMatch(/Nothing was charged .*proxy/);
		expect([proxy.asked, service.connections]).toStrictEqual([ATTEMPTS, 0]);
	});

	it('a proxy for http, which receives the request itself, asks for a password', async () => {
		proxy.onRequest = (_request, response) => response.writeHead(407).end(PAGE);
		const said = await send('http through a proxy');

		expect(said).toContain('the proxy asks for a user name and password, status 407');
		expect(said).toMatch(/Nothing was charged .*proxy/);
		expect(proxy.asked).toBe(ATTEMPTS);
	});

	it.each<[Route, string]>([
		['https', RESETS],
		['https', 'stands still until Timeout'],
		['https through a proxy', 'closes the connection'],
	])('the service does not encrypt: %s, it %s', async (route, deed) => {
		service.onConnection = (wire) => {
			wire.once('data', () => DEEDS[deed]?.(wire));
			return false;
		};
		const said = await send(route, { mebibytes: 1 });

		expect(said).toContain('could not be reached (');
		expect(said).toContain(NOTHING);
		expect([service.connections, service.requests]).toStrictEqual([ATTEMPTS, 0]);
	});
});

describe('nothing was sent, and it is not sent again, if', () => {
	it.each(SECURE)('the certificate of the service is rejected: %s', async (route) => {
		proxy.checkCertificates();
		const said = await send(route, { mebibytes: 1 });

		expect(said).toMatch(/^Could not establish a secure connection .+ Nothing was sent\./);
		expect([service.connections, service.requests]).toStrictEqual([1, 0]);
	});

	it.each(SECURE)('the service speaks http: %s', async (route) => {
		service.onConnection = (wire) => {
			wire.once('data', () => wire.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
			return false;
		};
		const said = await send(route, { mebibytes: 1 });

		expect(said).toMatch(/secure connection .+ answers without encryption\)\. Nothing was sent\./);
		expect(service.connections).toBe(1);
	});
});

describe('what may have been charged goes out once, if', () => {
	it.each(WAYS)('the whole request has arrived: %s, the service %s', async (route, deed) => {
		service.onBytes = (wire) => DEEDS[deed]?.(wire);
		const said = await send(route);

		expect(said).toContain(MAYBE);
		expect(service.requests).toBe(1);
	});

	it.each(WAYS)('a part of a photo has arrived: %s, the service %s', async (route, deed) => {
		service.onBytes = (wire, bytes) => {
			if (bytes > MIB) DEEDS[deed]?.(wire);
		};
		const said = await send(route, { mebibytes: 4 });

		expect(said).toContain(MAYBE);
		expect(service.requests).toBe(1);
	});

	it.each([
		['that is not compressed as it says', 'gzip'],
		['of another encoding than it says', 'br'],
	])('the service answers with a body %s', async (_what, encoding) => {
		answerWith(200, '{"id":"1"}', `Content-Encoding: ${encoding}`);
		const said = await send('http');

		expect(said).toMatch(/^The service returned an unreadable response instead of a job result\./);
		expect(said).toContain(MAYBE);
		expect(service.requests).toBe(1);
	});

	it('a page with status 502 comes through an open connection of the proxy', async () => {
		answerWith(502, PAGE);
		const said = await send('https through a proxy');

		expect(said).toMatch(/^A web page with status 502.*proxy.* Check 'Base URL'/);
		expect(said).toContain('may have been charged');
		expect(service.requests).toBe(1);
	});
});

it('a service behind a proxy is used as any other, and its message is its own', async () => {
	answerWith(403, '{"err":"Not for you"}');
	const said = await send('https through a proxy');
	answerWith(200, '{"id":"1","output_url":"http://a.example/b"}');
	const { rows } = await engine().run({
		credential: { baseUrl: service.urlOf('https'), apiKey: 'test-key' },
		parameters: { ...fox(), download: false },
	});

	expect(said).toMatch(/^Not for you\. .*subscribe/);
	expect(rows[0]?.json).toMatchObject({ id: '1' });
	expect(proxy.asked).toBe(2);
});
