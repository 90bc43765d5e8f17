import { once } from 'node:events';
import { request } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { toConnectionFailure as convert } from '../../nodes/ImageGeneration/service/connectionFailure';

const toConnectionFailure = (error: unknown, isOver = false) =>
	convert(error, { hideKey: (text) => text }, { isOver });

const coded = (code: string, message = 'why') => Object.assign(new Error(message), { code });

describe('a request without a response', () => {
	it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
		'never reached the service: %s',
		(code) => {
			expect(toConnectionFailure(coded(code))).toMatchObject({
				kind: 'unreachable',
				message: 'why',
			});
		},
	);

	it.each([
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
		'EPROTO',
	])('had no secure connection: %s', (code) => {
		expect(toConnectionFailure(coded(code)).kind).toBe('insecure');
	});

	it.each(['connect ETIMEDOUT 10.0.0.1:443', 'getaddrinfo EBUSY a.example'])(
		'never connected: %s',
		(message) => {
			expect(toConnectionFailure(coded('ETIMEDOUT', message)).kind).toBe('unreachable');
		},
	);

	it.each([
		['ECONNRESET', 'interrupted'],
		['ECONNABORTED', 'timeout'],
		['ETIMEDOUT', 'timeout'],
		['EPIPE', 'interrupted'],
		['HPE_INVALID_CONSTANT', 'interrupted'],
		['', 'interrupted'],
	])('may have reached the service: %s', (code, kind) => {
		expect(toConnectionFailure(coded(code, 'did not connect to it')).kind).toBe(kind);
	});

	it.each([
		['never left if all of it waits for a connection', 449, 449, 'unreachable'],
		['may have reached the service if part of it was sent', 449, 9, 'interrupted'],
		['may have reached the service if all of it was sent', 449, 0, 'interrupted'],
		['is unclear if nothing is known about what was sent', 0, 0, 'interrupted'],
	])('%s', (_what, bytesWritten, writableLength, kind) => {
		const request = { socket: { bytesWritten, writableLength } };
		const canceled = Object.assign(new Error('canceled'), { request });

		expect(toConnectionFailure(new Error('outer', { cause: canceled })).kind).toBe(kind);
	});

	it.each(['read EHOSTUNREACH', 'write ENETUNREACH', 'read ECONNREFUSED'])(
		'may have reached the service if the route was lost later: %s',
		(message) => {
			const code = message.split(' ')[1] ?? '';

			expect(toConnectionFailure(coded(code, message)).kind).toBe('interrupted');
		},
	);

	it('was blocked only if n8n says so', () => {
		const message = 'Proxy: The request was blocked by a rule';

		expect(toConnectionFailure(coded('ECONNRESET', message)).kind).toBe('interrupted');
		expect(toConnectionFailure(new Error('The request was blocked because …')).kind).toBe(
			'blocked',
		);
	});

	it('is described by the first of the host’s addresses', () => {
		const each = ['192.0.2.1:443', '2001:db8::1:443'].map((address) =>
			coded('ETIMEDOUT', `connect ETIMEDOUT ${address}`),
		);
		const all = Object.assign(new AggregateError(each), { code: 'ETIMEDOUT' });

		expect(toConnectionFailure(new Error('outer', { cause: all }))).toMatchObject({
			kind: 'unreachable',
			message: 'connect ETIMEDOUT 192.0.2.1:443',
		});
	});

	it('is described by httpCode and the first message, as n8n 1 wraps it', () => {
		expect(
			toConnectionFailure({ httpCode: 'ENOTFOUND', message: 'x', messages: ['found\nnothing'] }),
		).toMatchObject({ kind: 'unreachable', message: 'found' });
		expect(toConnectionFailure({ httpCode: '500', message: 'x', messages: [] })).toMatchObject({
			kind: 'interrupted',
			message: 'x',
		});
	});

	it.each([undefined, null, 'text', 42, {}])('may have thrown anything: %j', (thrown) => {
		expect(toConnectionFailure(thrown)).toMatchObject({ kind: 'interrupted', message: '' });
	});

	it('timed out if its time is over, unless nothing was sent', () => {
		const refused = coded('ECONNREFUSED');

		expect(toConnectionFailure(coded('ECONNRESET'), true).kind).toBe('timeout');
		expect(toConnectionFailure(refused, true)).toEqual({
			...{ kind: 'unreachable', message: 'the connection timed out' },
		});
	});

	it('is described even if its causes form a circle', () => {
		const error = new Error('round');
		error.cause = error;

		expect(toConnectionFailure(error).message).toBe('round');
	});
});

describe('an encrypted connection', () => {
	const psk = Buffer.from('a key that both ends of this test know');
	const secured = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const;

	/** What Node throws when it sends a request to a service that handles its connection like this. */
	async function failureWith(handle: (wire: Socket) => void): Promise<unknown> {
		const wires: Socket[] = [];
		const server = createServer((wire) => {
			wires.push(wire.on('error', () => {}));
			handle(wire);
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const options = {
			...{ host: '127.0.0.1', port, method: 'POST', ...secured },
			pskCallback: () => ({ psk, identity: 'test' }),
			checkServerIdentity: () => undefined,
		};
		const thrown = await new Promise((resolve) => {
			request(options).on('error', resolve).end('text=A fox');
		});
		server.close();
		for (const wire of wires) wire.destroy();
		return thrown;
	}

	it('that breaks after the request was sent may have reached the service', async () => {
		const thrown = await failureWith((wire) => {
			const service = new TLSSocket(wire, {
				...{ isServer: true, ...secured, pskCallback: () => psk },
			});
			service.on('error', () => {});
			service.on('data', () => wire.end('no TLS'));
		});

		expect(thrown).toMatchObject({ code: expect.stringMatching(/^ERR_SSL_/) as string });
		expect(toConnectionFailure(thrown).kind).toBe('interrupted');
	});

	it('that is never established did not reach it, and OpenSSL’s reason is given', async () => {
		const thrown = await failureWith((wire) => wire.end('HTTP/1.1 400 Bad Request\r\n\r\n'));

		expect(toConnectionFailure(thrown)).toMatchObject({
			...{ kind: 'insecure', message: 'wrong version number' },
		});
	});
});
