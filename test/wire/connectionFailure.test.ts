import { toConnectionFailure as convert } from '../../nodes/ImageGeneration/service/connectionFailure';

const toConnectionFailure = (error: unknown, isOver = false) =>
	convert(error, { hideKey: (text) => text }, { isOver });

const coded = (code: string, message = 'why') => Object.assign(new Error(message), { code });
const OF_OPENSSL = coded('EPROTO', 'write EPROTO 0:error:0A:SSL routines:f:why:s.c:');
const OF_ADDRESSES = new Error('outer', {
	cause: new AggregateError([
		coded('ETIMEDOUT', 'connect ETIMEDOUT 192.0.2.1:443'),
		coded('ETIMEDOUT', 'connect ETIMEDOUT 2001:db8::1:443'),
	]),
});

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

	it.each<[what: string, thrown: unknown, kind: string, message: string]>([
		['in n8n 1', { httpCode: 'ENOTFOUND', messages: ['found\nno'] }, 'unreachable', 'found'],
		['with a status in n8n 1', { httpCode: '500', message: 'x', messages: [] }, 'interrupted', 'x'],
		['with OpenSSL’s words', OF_OPENSSL, 'insecure', 'why'],
		[
			'for each address of the host',
			OF_ADDRESSES,
			'unreachable',
			'connect ETIMEDOUT 192.0.2.1:443',
		],
		['without a value', undefined, 'interrupted', ''],
		['as a text', 'text', 'interrupted', ''],
	])('is understood if the reason is thrown %s', (_what, thrown, kind, message) => {
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
