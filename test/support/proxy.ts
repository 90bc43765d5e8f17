import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Handler } from './server';

/** What a proxy does when it is asked for a connection to a service. */
export type Tunnel = (wire: Duplex, target: string) => void;

/** Opens the connection, as a proxy should. */
const openTunnel: Tunnel = (wire, target) => {
	const [host, port] = target.split(':');
	const service = connect(Number(port), host, () => {
		wire.write('HTTP/1.1 200 Connection established\r\n\r\n');
		service.pipe(wire).pipe(service);
	});
	service.on('error', () => wire.destroy()).on('close', () => wire.destroy());
};

/** Refuses it with a page. */
export function refuseTunnel(status: number, page = '<html>Blocked</html>'): Tunnel {
	return (wire) =>
		wire.end(`HTTP/1.1 ${status} No\r\nContent-Length: ${page.length}\r\n\r\n${page}`);
}

/** Gives the process that n8n's engine and Node see; jest gives each test file a copy. */
const { loadOnce } = globalThis as unknown as { loadOnce: (name: string) => NodeJS.Process };
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY'];

/**
 * Starts a proxy through which n8n sends its requests if a test asks for it. n8n accepts any certificate, unless a
 * test lets it check them.
 */
export function useProxy() {
	const sockets = new Set<Socket>();
	const server = createServer((incoming, response) => {
		proxied.asked += 1;
		proxied.onRequest(incoming, response);
	});
	server.on('connect', ({ url = '' }: IncomingMessage, wire: Duplex) => {
		proxied.asked += 1;
		wire.on('error', () => {});
		proxied.onConnect(wire, url);
	});
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket)).on('error', () => {});
	});
	const host = loadOnce('node:process');
	const { env } = host;

	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		// Node warns about the variable below.
		jest.spyOn(host, 'emitWarning').mockImplementation(() => {});
	});
	beforeEach(() => {
		env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
		proxied.asked = 0;
		proxied.onConnect = openTunnel;
		proxied.onRequest = passOn;
	});
	afterEach(() => {
		for (const name of PROXIES) Reflect.deleteProperty(env, name);
		for (const socket of sockets) socket.destroy();
	});
	afterAll(() => {
		delete env.NODE_TLS_REJECT_UNAUTHORIZED;
		server.close();
		jest.restoreAllMocks();
	});

	const proxied = {
		/** How often the proxy was asked for something. */
		asked: 0,
		/** What the proxy does when it is asked for a connection, for https. */
		onConnect: openTunnel,
		/** What the proxy does with a request for http. */
		onRequest: passOn,
		/** Lets n8n send the requests of this test through the proxy, or one at another port. */
		use: (port = (server.address() as AddressInfo).port) => {
			for (const name of PROXIES) env[name] = `http://127.0.0.1:${port}`;
		},
		/** Lets n8n check certificates in this test. */
		checkCertificates: () => {
			delete env.NODE_TLS_REJECT_UNAUTHORIZED;
		},
	};
	return proxied;
}

/** Passes a request on, as a proxy should. */
const passOn: Handler = (incoming, response) => {
	const { url = '', method, headers } = incoming;
	const outgoing = request(url, { method, headers }, (answer) => {
		response.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(response);
	});
	outgoing.on('error', () => response.destroy());
	incoming.pipe(outgoing);
};
