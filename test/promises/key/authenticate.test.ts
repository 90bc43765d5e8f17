import type { IAuthenticate, IHttpRequestOptions } from 'n8n-workflow';

import { ImageGenerationApi } from '../../../credentials/ImageGenerationApi.credentials';

const ORIGIN = 'https://example.com';
const headers = { Accept: '*/*' };

const SENT = /^sent with a-key$/;
const because = (words: string) => new RegExp(`^The request ${words}.*Nothing was sent\\.$`);
const ELSEWHERE = because('goes to .+, but this credential is only for https://example\\.com\\.');

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

	it.each<[request: object, refusal?: RegExp]>([
		[{ url: `${ORIGIN}/anything?a=1#b` }],
		[{ url: `${ORIGIN.toUpperCase()}:443/x` }],
		[{ uri: `${ORIGIN}/x` }],
		[{ url: '/x', baseURL: ORIGIN }],
		[{ url: `${ORIGIN}/x`, baseURL: `${ORIGIN}/y` }],
		[{ url: 'https://elsewhere.example/x' }, ELSEWHERE],
		[{ url: 'http://example.com' }, ELSEWHERE],
		[{ url: `${ORIGIN}:8443` }, ELSEWHERE],
		[{ url: `${ORIGIN}.elsewhere.example` }, ELSEWHERE],
		[{ url: 'https://example.com@elsewhere.example' }, ELSEWHERE],
		[{ url: 'https://elsewhere.example', uri: ORIGIN }, ELSEWHERE],
		[{ uri: 'https://elsewhere.example' }, ELSEWHERE],
		[{ url: '//elsewhere.example', baseURL: ORIGIN }, ELSEWHERE],
		[{ url: 'https://elsewhere.example', baseURL: ORIGIN }, ELSEWHERE],
		[{ url: ORIGIN, baseURL: 'https://elsewhere.example' }, ELSEWHERE],
		[{ url: { toString: () => ORIGIN } }, ELSEWHERE],
		[{}, ELSEWHERE],
		[{ url: ORIGIN, proxy: '' }],
		[
			{ url: ORIGIN, proxy: { host: 'elsewhere.example', port: 3128 } },
			because('goes through a proxy'),
		],
		[{ url: ORIGIN, rejectUnauthorized: true }],
		[{ url: ORIGIN, rejectUnauthorized: false }, because('does not check the certificate')],
		[
			{ uri: ORIGIN, skipSslCertificateValidation: true },
			because('does not check the certificate'),
		],
		[{ url: ORIGIN, agentOptions: { cert: 'A', key: 'B', passphrase: 'C' } }],
		[{ url: ORIGIN, agentOptions: { ca: 'A' } }, because('changes which certificates')],
		[
			{ url: ORIGIN, agentOptions: { rejectUnauthorized: false } },
			because('changes which certificates'),
		],
		[{ url: ORIGIN, headers: { 'X-Host': 'a', Hosts: 'b' } }],
		[{ url: ORIGIN, headers: { ' hOST ': 'elsewhere.example' } }, because("has a header 'Host'")],
	])(
		'carries the key only to the origin of the Base URL, where nobody else reads it: %j %s',
		async (request, refusal = SENT) => {
			const outcome = await authenticated(request).then(
				(sent) => `sent with ${sent.headers?.['api-key'] as string}`,
				(error: unknown) => (error as Error).message,
			);

			expect(outcome).toMatch(refusal);
		},
	);

	it('is rejected if the credential is invalid', async () => {
		await expect(authenticated({ url: ORIGIN }, { baseUrl: '' })).rejects.toThrow("'Base URL' in");
		await expect(authenticated({ url: ORIGIN }, { apiKey: '' })).rejects.toThrow("'API Key' in");
	});
});
