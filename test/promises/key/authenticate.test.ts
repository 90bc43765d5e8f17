import type { IAuthenticate, IHttpRequestOptions } from 'n8n-workflow';

import { ImageGenerationApi } from '../../../credentials/ImageGenerationApi.credentials';

const ORIGIN = 'https://example.com';
const headers = { Accept: '*/*' };

async function authenticated(
	request: object,
	{ baseUrl = `${ORIGIN}/api/`, apiKey = 'a-key' }: { baseUrl?: unknown; apiKey?: unknown } = {},
): Promise<IHttpRequestOptions> {
	const authenticate: IAuthenticate = new ImageGenerationApi().authenticate;
	if (typeof authenticate !== 'function') throw new Error('It is no function');
	return await authenticate({ baseUrl, apiKey } as never, { headers, ...request } as never);
}

describe('a request with the credential', () => {
	it.each<[given: unknown, sent: string]>([
		['a-key', 'a-key'],
		[' a-key\n', 'a-key'],
		['={{1}}', '={{1}}'],
	])('carries the key %p as %p and keeps its own headers', async (apiKey, sent) => {
		const request = { url: `${ORIGIN}/api/text2img` };

		expect(await authenticated(request, { apiKey })).toMatchObject({
			...request,
			headers: { Accept: '*/*', 'api-key': sent },
		});
		expect(headers).toStrictEqual({ Accept: '*/*' });
	});

	it('follows no redirects, in n8n’s old and new option names', async () => {
		expect(await authenticated({ url: ORIGIN, followAllRedirects: true })).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	it.each<[object]>([
		[{ url: `${ORIGIN}/anything?a=1#b` }],
		[{ url: `${ORIGIN.toUpperCase()}:443/x` }],
		[{ uri: `${ORIGIN}/x` }],
		[{ url: '/x', baseURL: ORIGIN }],
		[{ url: `${ORIGIN}/x`, baseURL: `${ORIGIN}/y` }],
		// With options that nobody can read the key by.
		[{ url: ORIGIN, rejectUnauthorized: true, proxy: '' }],
		[{ url: ORIGIN, agentOptions: { cert: 'A', key: 'B', passphrase: 'C' } }],
		[{ url: ORIGIN, headers: { 'X-Host': 'a', Hosts: 'b' } }],
	])('carries the key to the origin of the Base URL: %j', async (request) => {
		expect((await authenticated(request)).headers).toMatchObject({ 'api-key': 'a-key' });
	});

	it.each<[object]>([
		[{ url: 'https://elsewhere.example/x' }],
		[{ url: 'http://example.com' }],
		[{ url: `${ORIGIN}:8443` }],
		[{ url: `${ORIGIN}.elsewhere.example` }],
		[{ url: 'https://example.com@elsewhere.example' }],
		[{ url: 'https://elsewhere.example', uri: ORIGIN }],
		[{ uri: 'https://elsewhere.example' }],
		[{ url: '//elsewhere.example', baseURL: ORIGIN }],
		[{ url: 'https://elsewhere.example', baseURL: ORIGIN }],
		[{ url: ORIGIN, baseURL: 'https://elsewhere.example' }],
		[{ url: { toString: () => ORIGIN } }],
		[{}],
	])('is rejected if it goes anywhere else: %j', async (request) => {
		await expect(authenticated(request)).rejects.toThrow(
			/^The request goes to .+, but this credential is only for https:\/\/example\.com\. Nothing was sent\.$/,
		);
	});

	const certificates = 'changes which certificates are trusted';

	it.each<[object, string]>([
		[{ proxy: { host: 'elsewhere.example', port: 3128 } }, 'goes through a proxy'],
		[{ rejectUnauthorized: false }, 'does not check the certificate'],
		[{ skipSslCertificateValidation: true }, 'does not check the certificate'],
		[{ agentOptions: { ca: 'A' } }, certificates],
		[{ agentOptions: { rejectUnauthorized: false } }, certificates],
		[{ headers: { ' hOST ': 'elsewhere.example' } }, "has a header 'Host'"],
	])('is rejected if somebody else could read the key: %j', async (option, words) => {
		const why = new RegExp(`^The request ${words}.*Nothing was sent\\.$`);

		await expect(authenticated({ url: ORIGIN, ...option })).rejects.toThrow(why);
		await expect(authenticated({ uri: ORIGIN, ...option })).rejects.toThrow(why);
	});

	it('is rejected if the credential is invalid', async () => {
		await expect(authenticated({ url: ORIGIN }, { baseUrl: '' })).rejects.toThrow("'Base URL' in");
		await expect(authenticated({ url: ORIGIN }, { apiKey: '' })).rejects.toThrow("'API Key' in");
	});
});
