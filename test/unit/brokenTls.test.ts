import { once } from 'node:events';
import { request } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

import { toConnectionFailure as convert } from '../../nodes/ImageGeneration/service/connectionFailure';

const toConnectionFailure = (error: unknown) => convert(error, { hideKey: (text) => text });

// A pre-shared key saves the test a certificate.
const psk = Buffer.from('a key that both ends of this test know');
const secured: TlsOptions = { ciphers: 'PSK', maxVersion: 'TLSv1.2' };

const servers: Server[] = [];
const sockets: Socket[] = [];
// A broken connection closes only one of its ends.
afterEach(() => {
	for (const server of servers.splice(0)) server.close();
	for (const socket of sockets.splice(0)) socket.destroy();
});

async function listening(server: Server): Promise<number> {
	servers.push(server);
	server.on('connection', (socket) => sockets.push(socket));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

/** What the client throws when it sends a request to this port. */
async function failureAt(port: number): Promise<unknown> {
	const options = {
		host: '127.0.0.1',
		port,
		method: 'POST',
		...secured,
		pskCallback: () => ({ psk, identity: 'test' }),
		checkServerIdentity: () => undefined,
	};
	return await new Promise((resolve) => {
		request(options).on('error', resolve).end('text=A fox');
	});
}

describe('an encrypted connection', () => {
	it('that breaks after the request may have reached the service', async () => {
		let wire: Socket | undefined;
		let received = '';
		const service = createTlsServer({ ...secured, pskCallback: () => psk }, (socket) => {
			socket.on('error', () => {});
			socket.on('data', (chunk) => {
				received += String(chunk);
				if (received.includes('text=A fox')) wire?.write('no TLS');
			});
		});
		const servicePort = await listening(service);
		const between = createServer((socket) => {
			wire = socket;
			const onward = connect(servicePort, '127.0.0.1');
			sockets.push(onward);
			for (const end of [socket, onward]) end.on('error', () => {});
			socket.pipe(onward).pipe(socket);
		});

		const thrown = await failureAt(await listening(between));

		expect(received).toContain('text=A fox');
		expect(thrown).toMatchObject({ code: expect.stringMatching(/^ERR_SSL_/) as string });
		expect(toConnectionFailure(thrown).kind).toBe('interrupted');
	});

	it('that is never established did not reach the service', async () => {
		const plain = createServer((socket) => {
			socket.on('error', () => {});
			socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
		});

		const failure = toConnectionFailure(await failureAt(await listening(plain)));

		expect(failure).toMatchObject({ kind: 'insecure', message: 'wrong version number' });
	});
});
