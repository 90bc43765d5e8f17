import type { ICredentialTestFunctions } from 'n8n-workflow';

import { toConnectionFailure } from './connectionFailure';
import type { Service } from './service';

/**
 * Sends a request that lacks the required `text`, so that the service looks at the key and generates
 * nothing (sections 4.1 and 5).
 * @throws ConnectionFailure
 */
export async function requestWithoutText(
	{ helpers }: ICredentialTestFunctions,
	{ address }: Service,
	key: string,
): Promise<{ statusCode: number; body: string }> {
	try {
		// The only request function that n8n gives to credential tests (2.40.3 and 1.123.81).
		const { statusCode, body } = (await helpers.request({
			method: 'POST',
			uri: address.endpoint('text2img'),
			headers: { 'api-key': key, Accept: 'application/json' },
			formData: { width: '512', height: '512' },
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			timeout: 30_000,
		})) as { statusCode: number; body?: unknown };
		// Without a body there is none (seen at redirects on n8n 2.40.3).
		return { statusCode, body: typeof body === 'string' ? body : '' };
	} catch (error) {
		const failure = toConnectionFailure(error);
		throw failure;
	}
}
