import {
	isInsecure,
	toConnectionFailure,
} from '../../nodes/ImageGeneration/service/connectionFailure';

const coded = (code: string, message = 'why') => Object.assign(new Error(message), { code });

describe('a request that ended without an answer', () => {
	it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
		'never reached the service: %s',
		(code) => {
			expect(toConnectionFailure(coded(code))).toMatchObject({
				code,
				reached: false,
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
		expect(toConnectionFailure(coded(code)).reached).toBe(false);
		expect(isInsecure(code)).toBe(true);
	});

	it.each(['connect ETIMEDOUT 10.0.0.1:443', 'getaddrinfo EBUSY a.example'])(
		'got no further than %s',
		(message) => {
			expect(toConnectionFailure(coded('ETIMEDOUT', message)).reached).toBe(false);
		},
	);

	it.each(['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'HPE_INVALID_CONSTANT', ''])(
		'may have reached it: %s',
		(code) => {
			expect(toConnectionFailure(coded(code, 'did not connect to it')).reached).toBe(true);
			expect(isInsecure(code)).toBe(false);
		},
	);

	it.each(['read EHOSTUNREACH', 'write ENETUNREACH', 'read ECONNREFUSED'])(
		'may have reached it where the way there was lost later: %s',
		(message) => {
			expect(toConnectionFailure(coded(message.split(' ')[1] ?? '', message)).reached).toBe(true);
		},
	);

	it('is not taken for kept back by n8n where somebody else says so', () => {
		const message = 'Proxy: The request was blocked by a rule';

		expect(toConnectionFailure(coded('ECONNRESET', message))).toMatchObject({
			code: 'ECONNRESET',
			reached: true,
		});
	});

	it('is told by the first of the addresses that a host has', () => {
		const each = ['192.0.2.1:443', '2001:db8::1:443'].map((address) =>
			coded('ETIMEDOUT', `connect ETIMEDOUT ${address}`),
		);
		const all = Object.assign(new AggregateError(each), { code: 'ETIMEDOUT' });

		expect(toConnectionFailure(new Error('outer', { cause: all }))).toMatchObject({
			code: 'ETIMEDOUT',
			reached: false,
			message: 'connect ETIMEDOUT 192.0.2.1:443',
		});
	});

	it('is told by the innermost cause, as n8n 2 wraps it', () => {
		const wrapped = new Error('outer', { cause: coded('ECONNREFUSED', 'inner') });

		expect(toConnectionFailure(new Error('outermost', { cause: wrapped }))).toMatchObject({
			code: 'ECONNREFUSED',
			message: 'inner',
		});
	});

	it('is told by httpCode and the first of messages, as n8n 1 wraps it', () => {
		expect(
			toConnectionFailure({ httpCode: 'ENOTFOUND', message: 'x', messages: ['found\nnothing'] }),
		).toMatchObject({ code: 'ENOTFOUND', message: 'found' });
		expect(toConnectionFailure({ httpCode: '500', message: 'x', messages: [] })).toMatchObject({
			code: '',
			message: 'x',
		});
	});

	it.each([undefined, null, 'text', 42, {}])('may be anything: %j', (thrown) => {
		expect(toConnectionFailure(thrown)).toMatchObject({ code: '', reached: true, message: '' });
	});

	it('ends where causes go round in a circle', () => {
		const error = new Error('round');
		error.cause = error;

		expect(toConnectionFailure(error).message).toBe('round');
	});
});
