import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { endSentence } from '../failures/endSentence';
import { requestWithoutText } from '../service/requestWithoutText';
import { serviceMessage } from '../service/response';
import { toService, parseKey, type Service } from '../service/service';
import { messageFor } from './messages';

/**
 * Tests the credential without generating anything. A declarative test would fail on every status
 * but 2xx, so this one judges the response itself.
 */
export async function testCredential(
	context: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const service = toService(data);
		const { statusCode, body } = await requestWithoutText(context, service, parseKey(data.apiKey));
		return verdict(service, statusCode, service.hideKey(body));
	} catch (error) {
		const { title, advice } = messageFor(error);
		return { status: 'Error', message: `${title} ${advice}`.trim() };
	}
}

function verdict({ address }: Service, status: number, body: string): INodeCredentialTestResult {
	const words = serviceMessage(body);
	const said = words === undefined ? '' : `The service says: ${endSentence(words)} `;
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
