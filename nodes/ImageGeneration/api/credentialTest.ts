import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { sentence } from '../sentence';
import { wordsIn } from './answer';
import { messageFor } from './messages';
import { networkFailure } from './network';
import { serviceOf, usableKey, type Service } from './service';

/**
 * Tests the credential with a request that lacks the required `text`, so that the service looks at
 * the key and generates nothing (sections 4.1 and 5). A declarative test would fail on every
 * status but 2xx, so this one judges the answer by itself.
 */
export async function testCredential(
	context: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const service = serviceOf(data);
		const { statusCode, body } = await requestWithoutText(context, service, usableKey(data.apiKey));
		return verdict(service, statusCode, service.hideKey(body));
	} catch (error) {
		const { title, advice } = messageFor(error);
		return { status: 'Error', message: `${title} ${advice}`.trim() };
	}
}

async function requestWithoutText(
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
		const failure = networkFailure(error);
		throw failure;
	}
}

function verdict({ address }: Service, status: number, body: string): INodeCredentialTestResult {
	const words = wordsIn(body);
	const said = words === undefined ? '' : `The service says: ${sentence(words)} `;
	const refuse = (message: string): INodeCredentialTestResult => ({
		status: 'Error',
		message: `${said}${message}`,
	});
	const notThisApi = `Something answers at ${address.origin}, but it is not this API (status ${status}). Check Base URL.`;
	const refusals: Record<number, string> = {
		401: 'The key is not accepted. Check API Key.',
		402: 'The key is known, but it has no access. API access needs a paid subscription.',
		403: 'The key is known, but it has no access. API access needs a paid subscription.',
		429: 'Too many calls at the moment. Test again later.',
	};
	const refusal = refusals[status];
	if (refusal !== undefined) return refuse(refusal);
	if (status >= 500) return refuse(`The service has trouble (status ${status}). Test again later.`);
	if (status >= 300 && status < 400) {
		return refuse(`${address.origin} sends on to another address. Enter that one as Base URL.`);
	}
	// Section 7 leaves open by which status the service says that the text is missing.
	const saysWhatIsMissing = [400, 422].includes(status) && words !== undefined;
	if (!saysWhatIsMissing) return refuse(notThisApi);
	const warning = address.isUnencrypted
		? ' Note: over http:// the key crosses the network unencrypted; use https:// if you can.'
		: '';
	return {
		status: 'OK',
		message: `The service accepts the key; nothing was generated.${warning}`,
	};
}
