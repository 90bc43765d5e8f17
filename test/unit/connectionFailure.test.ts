import { toConnectionFailure as convert } from '../../nodes/ImageGeneration/service/connectionFailure';

const toConnectionFailure = (error: unknown) => convert(error, { hideKey: (text) => text });

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

	it('is described without OpenSSL’s file names', () => {
		const message =
			'write EPROTO 40A70A4C:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl3_record.c:355:';

		expect(toConnectionFailure(coded('EPROTO', message)).message).toBe('wrong version number');
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

	it('is described by its innermost cause, as n8n 2 wraps it', () => {
		const wrapped = new Error('outer', { cause: coded('ECONNREFUSED', 'inner') });

		expect(toConnectionFailure(new Error('outermost', { cause: wrapped }))).toMatchObject({
			kind: 'unreachable',
			message: 'inner',
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

	it('is described even if its causes form a circle', () => {
		const error = new Error('round');
		error.cause = error;

		expect(toConnectionFailure(error).message).toBe('round');
	});
});
