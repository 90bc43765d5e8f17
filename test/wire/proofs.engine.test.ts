import type { Socket } from 'node:net';

import { useEngine } from '../support/engine';
import { largePng } from '../support/images';
import { useProxy } from '../support/proxy';
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
};
const deeds = Object.keys(DEEDS);
const each = (routes: Route[]) =>
	routes.flatMap((route) => deeds.map((deed) => [route, deed] as const));

const answerWith = (status: number, header: string, body = '<html>') => {
	return (wire: Socket) => {
		const length = `Content-Length: ${body.length}`;
		wire.end([`HTTP/1.1 ${status} Yes`, header, length, '', body].join('\r\n'));
	};
};

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

	it.each(['http', 'https'] as const)('the name of the host is unknown: %s', async (scheme) => {
		const said = await send(scheme, { baseUrl: `${scheme}://nowhere.invalid` });

		expect(said).toMatch(/could not be reached \(getaddrinfo .+Nothing was charged/);
	});

	it.each(['http', 'https'] as const)('no connection is there in time: %s', async (scheme) => {
		const baseUrl = unconnectableServer().replace('http', scheme);
		const said = await send(scheme, { baseUrl, mebibytes: 1 });

		expect(said).toContain('could not be reached (the connection timed out)');
		expect(said).toContain(NOTHING);
	});

	it.each(each(SECURE))('the service does not encrypt: %s, it %s', async (route, deed) => {
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

		expect(said).toMatch(/^Could not establish a secure connection .+ Nothing was sent\./);
		expect(service.connections).toBe(1);
	});
});

describe('what may have been charged goes out once, if', () => {
	it.each(each(ALL))('the whole request has arrived: %s, the service %s', async (route, deed) => {
		service.onBytes = (wire) => DEEDS[deed]?.(wire);
		const said = await send(route);

		expect(said).toContain(MAYBE);
		expect(service.requests).toBe(1);
	});

	/** The service does this once it has these mebibytes of a photo. */
	const sendPart = async (route: Route, deed: string, received: number, mebibytes: number) => {
		service.onBytes = (wire, bytes) => {
			if (bytes > received * MIB) DEEDS[deed]?.(wire);
		};
		return await send(route, { mebibytes });
	};

	it.each(each(ALL))('a part of a photo has arrived: %s, the service %s', async (route, deed) => {
		const said = await sendPart(route, deed, 1, 4);

		expect(said).toContain(MAYBE);
		expect(service.requests).toBe(1);
	});

	it.each([
		['that is not compressed as it says', 'gzip'],
		['of another encoding than it says', 'br'],
	])('the service answers with a body %s', async (_what, encoding) => {
		service.onBytes = answerWith(200, `Content-Encoding: ${encoding}`, '{"id":"1"}');
		const said = await send('http');

		expect(said).toMatch(/^The service returned an unreadable response instead of a job result\./);
		expect(said).toContain(MAYBE);
		expect(service.requests).toBe(1);
	});
});
