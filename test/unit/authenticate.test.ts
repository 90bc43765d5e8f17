import type { IAuthenticate, IHttpRequestOptions } from 'n8n-workflow';

import { ImageGenerationApi } from '../../credentials/ImageGenerationApi.credentials';

const request: IHttpRequestOptions = { url: 'https://example.com', headers: { Accept: '*/*' } };

async function authenticated(apiKey: unknown): Promise<IHttpRequestOptions> {
	const authenticate: IAuthenticate = new ImageGenerationApi().authenticate;
	if (typeof authenticate !== 'function') throw new Error('It is no function');
	return await authenticate({ apiKey } as never, request);
}

describe('a call with the credential', () => {
	it.each<[given: unknown, sent: string]>([
		['a-key', 'a-key'],
		[' a-key\n', 'a-key'],
		['={{ 1 }}', '={{ 1 }}'],
		[undefined, ''],
	])('carries the key %p as %p, and all that it had', async (given, sent) => {
		expect(await authenticated(given)).toEqual({
			...request,
			headers: { Accept: '*/*', 'api-key': sent },
		});
		expect(request.headers).toEqual({ Accept: '*/*' });
	});
});
