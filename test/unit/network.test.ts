import { toConnectionFailure } from '../../nodes/ImageGeneration/service/connectionFailure';

const coded = (code: string, message = 'why') => Object.assign(new Error(message), { code });

describe('a request that ended without an answer', () => {
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
		'got no further than %s',
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
	])('may have reached it: %s', (code, kind) => {
		expect(toConnectionFailure(coded(code, 'did not connect to it')).kind).toBe(kind);
	});

	it.each([
		['never left, as all of it waits for its connection', 449, 449, 'unreachable'],
		['may have reached it, as a part of it is on its way', 449, 9, 'interrupted'],
		['may have reached it, as all of it is on its way', 449, 0, 'interrupted'],
		['is not known to have written anything', 0, 0, 'interrupted'],
	])('%s', (_what, bytesWritten, writableLength, kind) => {
		const request = { socket: { bytesWritten, writableLength } };
		const canceled = Object.assign(new Error('canceled'), { request });

		expect(toConnectionFailure(new Error('outer', { cause: canceled })).kind).toBe(kind);
	});

	it('is told without the file names of OpenSSL', () => {
		const message =
			'write EPROTO 40A70A4C:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl3_record.c:355:';

		expect(toConnectionFailure(coded('EPROTO', message)).message).toBe('wrong version number');
	});

	it.each(['read EHOSTUNREACH', 'write ENETUNREACH', 'read ECONNREFUSED'])(
		'may have reached it where the way there was lost later: %s',
		(message) => {
			const code = message.split(' ')[1] ?? '';

			expect(toConnectionFailure(coded(code, message)).kind).toBe('interrupted');
		},
	);

	it('is not taken for kept back by n8n where somebody else says so', () => {
		const message = 'Proxy: The request was blocked by a rule';

		expect(toConnectionFailure(coded('ECONNRESET', message)).kind).toBe('interrupted');
		expect(toConnectionFailure(new Error('The request was blocked because …')).kind).toBe(
			'blocked',
		);
	});

	it('is told by the first of the addresses that a host has', () => {
		const each = ['192.0.2.1:443', '2001:db8::1:443'].map((address) =>
			coded('ETIMEDOUT', `connect ETIMEDOUT ${address}`),
		);
		const all = Object.assign(new AggregateError(each), { code: 'ETIMEDOUT' });

		expect(toConnectionFailure(new Error('outer', { cause: all }))).toMatchObject({
			kind: 'unreachable',
			message: 'connect ETIMEDOUT 192.0.2.1:443',
		});
	});

	it('is told by the innermost cause, as n8n 2 wraps it', () => {
		const wrapped = new Error('outer', { cause: coded('ECONNREFUSED', 'inner') });

		expect(toConnectionFailure(new Error('outermost', { cause: wrapped }))).toMatchObject({
			kind: 'unreachable',
			message: 'inner',
		});
	});

	it('is told by httpCode and the first of messages, as n8n 1 wraps it', () => {
		expect(
			toConnectionFailure({ httpCode: 'ENOTFOUND', message: 'x', messages: ['found\nnothing'] }),
		).toMatchObject({ kind: 'unreachable', message: 'found' });
		expect(toConnectionFailure({ httpCode: '500', message: 'x', messages: [] })).toMatchObject({
			kind: 'interrupted',
			message: 'x',
		});
	});

	it.each([undefined, null, 'text', 42, {}])('may be anything: %j', (thrown) => {
		expect(toConnectionFailure(thrown)).toMatchObject({ kind: 'interrupted', message: '' });
	});

	it('ends where causes go round in a circle', () => {
		const error = new Error('round');
		error.cause = error;

		expect(toConnectionFailure(error).message).toBe('round');
	});
});
