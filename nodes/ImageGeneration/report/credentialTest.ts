import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { endSentence } from '../failures/endSentence';
import { parseKey } from '../service/key';
import { requestWithoutText, type TestResponse } from '../service/requestWithoutText';
import { serviceMessage } from '../service/response';
import { toService, type Service } from '../service/service';
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
		const response = await requestWithoutText(context, service, parseKey(data.apiKey));
		return judge(service, response);
	} catch (error) {
		const { title, advice } = messageFor(error);
		return { status: 'Error', message: `${endSentence(title)} ${advice}`.trim() };
	}
}

const NO_KEY = "The key was not accepted. Check 'API Key'.";
const NO_ACCESS = 'The key has no API access, which requires a paid subscription.';

const BY_STATUS: Record<number, string> = {
	401: NO_KEY,
	402: NO_ACCESS,
	403: NO_ACCESS,
	429: 'Too many requests at the moment. Test again later.',
};

// Section 7 leaves open by which status a service says what, so its words count as well.
const OF_ACCESS = /\b(subscri|payment|billing|wallet|allowance|plan\b|credit|quota|upgrade)/i;
const OF_KEY =
	/\b(api[-_ ]?)?keys?\b|\btoken|\bcredential|\bauth|\bunauth|\blog ?in\b|\bsign ?in\b|\bforbidden|\bdenied/i;
const OF_REQUEST = /\b(text|prompt|parameters?|params?|fields?|inputs?|arguments?)\b/i;

function judge(service: Service, { status, body }: TestResponse): INodeCredentialTestResult {
	const words = serviceMessage(body);
	const refusal = refusalFor(service, status, words);
	if (refusal === undefined) return { status: 'OK', message: acceptance(service) };
	const said = words === undefined ? '' : `The service says: ${endSentence(words)} `;
	return { status: 'Error', message: `${said}${refusal}` };
}

/** Why the test did not succeed; undefined if the service only misses the text. */
function refusalFor(
	service: Service,
	status: number,
	words: string | undefined,
): string | undefined {
	const byStatus = BY_STATUS[status];
	if (byStatus !== undefined) return byStatus;
	if (status >= 500) return `The service is having trouble (status ${status}). Test again later.`;
	if (status >= 300 && status < 400) {
		return `${shownOrigin(service)} redirects to another address. Set 'Base URL' to that address.`;
	}
	if (words === undefined) return notThisApi(service, status);
	const speaksOfRequest = OF_REQUEST.test(words);
	if (!speaksOfRequest && OF_ACCESS.test(words)) return NO_ACCESS;
	if (!speaksOfRequest && OF_KEY.test(words)) return NO_KEY;
	if (![400, 422].includes(status)) return notThisApi(service, status);
	const isClear = speaksOfRequest && !OF_ACCESS.test(words) && !OF_KEY.test(words);
	return isClear ? undefined : "It is unclear whether the key was accepted. Check 'API Key'.";
}

function notThisApi(service: Service, status: number): string {
	const { path } = service.baseUrl;
	const advice = path === '' ? '' : ` Remove the path ${service.hideKey(path)} from its end.`;
	return `A server responds at ${shownOrigin(service)}, but it is not this API (status ${status}). Check 'Base URL'.${advice}`;
}

function acceptance({ baseUrl }: Service): string {
	const warning = baseUrl.isUnencrypted
		? ' With http://, the key is sent unencrypted. Use https:// if you can.'
		: '';
	return `The service accepted the key. Nothing was generated.${warning}`;
}

function shownOrigin({ baseUrl, hideKey }: Service): string {
	return hideKey(baseUrl.origin);
}
