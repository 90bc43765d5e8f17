import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

import { selfSigned } from './certificate';

/** What a service does once it has received this many bytes of a connection, whose answer is the stream. */
type Act = (wire: Socket, received: number, stream: Socket) => void;

/** Starts a service of bytes for a file's tests, with http and with https, which never answers by itself. */
export function useWireService() {
	const wires = new Set<Socket>();
	const secureContext = createSecureContext(selfSigned('localhost'));
	const begin = (wire: Socket) => {
		wires.add(wire);
		wire.on('close', () => wires.delete(wire)).on('error', () => {});
		service.connections += 1;
		return service.onConnection(wire);
	};
	const serve = (stream: Socket, wire: Socket) => {
		let received = 0;
		stream.on('error', () => {});
		stream.on('data', (chunk: Buffer) => {
			if (received === 0) service.requests += 1;
			received += chunk.length;
			service.onBytes(wire, received, stream);
		});
	};
	const plain = createServer((wire) => {
		if (begin(wire)) serve(wire, wire);
	});
	const secure = createServer((wire) => {
		if (begin(wire)) serve(new TLSSocket(wire, { isServer: true, secureContext }), wire);
	});
	const servers: Server[] = [plain, secure];

	beforeAll(async () => {
		for (const server of servers) {
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		}
	});
	afterEach(() => {
		for (const wire of wires) wire.destroy();
		Object.assign(service, silent());
	});
	afterAll(() => {
		for (const server of servers) server.close();
	});

	const service = {
		...silent(),
		urlOf: (scheme: 'http' | 'https') => {
			const { port } = (scheme === 'http' ? plain : secure).address() as AddressInfo;
			return `${scheme}://127.0.0.1:${port}`;
		},
	};
	return service;
}

/** A service that only counts. */
function silent() {
	return {
		/** Connections since the test began. */
		connections: 0,
		/** Those of them over which a byte of a request came. */
		requests: 0,
		/** Whether a new connection goes on, with https by its handshake. */
		onConnection: (() => true) as (wire: Socket) => boolean,
		onBytes: (() => {}) as Act,
	};
}
