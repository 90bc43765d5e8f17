import { once } from 'node:events';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';

import { toConnectionFailure as convert } from '../../nodes/ImageGeneration/service/connectionFailure';

const toConnectionFailure = (error: unknown, isOver = false) =>
	convert(error, { hideKey: (text) => text }, { isOver });

const coded = (code: string, message = 'why') => Object.assign(new Error(message), { code });

describe('a request without a response', () => {
	const noRoute = ['EHOSTUNREACH', 'ENETUNREACH'];

	it.each<[kind: string, codes: string[], message: string]>([
		['unreachable', ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'], 'why'],
		['unreachable', [...noRoute, 'ETIMEDOUT', 'ECONNRESET'], 'connect ETIMEDOUT 10.0.0.1:443'],
		['unreachable', ['EBUSY'], 'getaddrinfo EBUSY a.example'],
		['insecure', ['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'EPROTO'], 'why'],
		['insecure', ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'], 'why'],
		['insecure', ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'], 'why'],
		// The route may be lost after the request was sent.
		['interrupted', noRoute, 'read EHOSTUNREACH'],
		['interrupted', noRoute, 'write ENETUNREACH'],
		['interrupted', noRoute, 'why'],
		['interrupted', ['ECONNRESET', 'EPIPE', 'HPE_INVALID_CONSTANT', ''], 'did not connect to it'],
		['interrupted', ['ECONNRESET'], 'Proxy: The request was blocked by a rule'],
		['blocked', [''], 'The request was blocked because …'],
		['timeout', ['ECONNABORTED', 'ETIMEDOUT'], 'did not connect to it'],
	])('is %s: %j, %s', (kind, codes, message) => {
		for (const code of codes)
			expect(toConnectionFailure(coded(code, message))).toStrictEqual({ kind, message });
	});

	it('is unreachable if the request has no connection, because a proxy did not open one', () => {
		const cause = Object.assign(coded('ECONNRESET', 'read ECONNRESET'), {
			request: { socket: null },
		});

		expect(toConnectionFailure(new Error('outer', { cause }))).toStrictEqual({
			kind: 'unreachable',
			message: 'read ECONNRESET',
		});
	});

	it('is described by the first of the host’s addresses', () => {
		const each = ['192.0.2.1:443', '2001:db8::1:443'].map((address) =>
			coded('ETIMEDOUT', `connect ETIMEDOUT ${address}`),
		);
		const all = Object.assign(new AggregateError(each), { code: 'ETIMEDOUT' });

		expect(toConnectionFailure(new Error('outer', { cause: all }))).toStrictEqual({
			kind: 'unreachable',
			message: 'connect ETIMEDOUT 192.0.2.1:443',
		});
	});

	it.each<[thrown: unknown, kind: string, message: string]>([
		// As n8n 1 wraps it.
		[{ httpCode: 'ENOTFOUND', message: 'x', messages: ['found\nno'] }, 'unreachable', 'found'],
		[{ httpCode: '500', message: 'x', messages: [] }, 'interrupted', 'x'],
		[coded('EPROTO', 'write EPROTO 0:error:0A:SSL routines:f:why:s.c:'), 'insecure', 'why'],
		[undefined, 'interrupted', ''],
		['text', 'interrupted', ''],
	])('may have thrown anything: %j', (thrown, kind, message) => {
		expect(toConnectionFailure(thrown)).toStrictEqual({ kind, message });
	});

	it('timed out if its time is over, unless nothing was sent', () => {
		expect(toConnectionFailure(coded('ECONNRESET'), true).kind).toBe('timeout');
		expect(toConnectionFailure(coded('ECONNREFUSED'), true)).toStrictEqual({
			kind: 'unreachable',
			message: 'the connection timed out',
		});
	});
});

it('an encrypted connection that breaks after the request was sent may have reached the service', async () => {
	const secured = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const;
	const psk = Buffer.from('a key that both ends of this test know');
	const server = createServer((wire) => {
		wire.on('error', () => {});
		// The types lack the callback.
		const own = { isServer: true, ...secured, pskCallback: () => psk };
		const service = new TLSSocket(wire, own);
		service.on('error', () => {});
		service.on('data', () => wire.end('no TLS'));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const options = {
		host: '127.0.0.1',
		port,
		method: 'POST',
		...secured,
		pskCallback: () => ({ psk, identity: 'test' }),
		checkServerIdentity: () => undefined,
	};
	const thrown = await new Promise((resolve) => {
		request(options).on('error', resolve).end('text=A fox');
	});
	server.close();

	expect(thrown).toMatchObject({ code: expect.stringMatching(/^ERR_SSL_/) as string });
	expect(toConnectionFailure(thrown).kind).toBe('interrupted');
});
