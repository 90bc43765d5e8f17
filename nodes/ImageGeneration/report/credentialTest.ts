import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { toFailure } from '../failures/failures';
import { isRedirect } from '../failures/retryDecision';
import { requestWithoutText, type Answer } from '../service/credentialRequest';
import { parseKey } from '../service/key';
import { OWN_HOSTS, toService, type Service } from '../service/service';
import { endSentence } from '../values/text';
import { FROM_ELSEWHERE, messageFor } from './messages';
import { rejectionAdvice } from './rejectionAdvice';

/**
 * Tests the credential for free. n8n's declarative tests reject every status except 2xx, so this one
 * reads the response itself.
 */
export async function testCredential(
	context: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const service = toService(data);
		const answer = await requestWithoutText(context, service, parseKey(data.apiKey));
		const problem = problemIn(answer, service);
		if (problem === undefined) return { status: 'OK', message: acceptance(service.baseUrl) };
		const { serviceMessage: said } = answer;
		const quoted = said === undefined ? '' : `The service says: ${endSentence(said)} `;
		return { status: 'Error', message: `${quoted}${problem}` };
	} catch (error) {
		const { title, advice } = messageFor(toFailure(error));
		return { status: 'Error', message: `${endSentence(title)} ${advice}`.trim() };
	}
}

/** Statuses that refuse the key or the account. */
const REFUSALS = [401, 402, 403];
/** Statuses of a request that lacks something. */
const INCOMPLETE = [400, 422];
/** How a service names the text that the request lacks. If it asks for that, it has accepted the key. */
const ASKS_FOR_TEXT = /\b(text|prompt|parameters?|params?|fields?|inputs?|arguments?)\b/i;

/** Why the credential does not work; undefined if the service only asks for the text. */
function problemIn(answer: Answer, { baseUrl, hideKey }: Service): string | undefined {
	const { status, serviceMessage = '', intercepted } = answer;
	if (intercepted !== undefined) {
		const { title } = messageFor(intercepted);
		return `${title}. ${FROM_ELSEWHERE}${pathAdvice(baseUrl, hideKey)}`;
	}
	if (isRedirect(status) || REFUSALS.includes(status)) return rejectionAdvice(answer);
	if (status === 429) return 'Too many requests at the moment. Test again later.';
	if (status >= 500) return `The service is having trouble (status ${status}). Test again later.`;
	if (serviceMessage === '' || !INCOMPLETE.includes(status)) {
		const origin = hideKey(baseUrl.origin);
		return `A server responds at ${origin}, but it is not this API (status ${status}). Check 'Base URL'.${pathAdvice(baseUrl, hideKey)}`;
	}
	if (ASKS_FOR_TEXT.test(serviceMessage)) return undefined;
	return "It is unclear whether the key was accepted. Check 'API Key'.";
}

/** A path in the address may be what is wrong. */
function pathAdvice({ path }: Service['baseUrl'], hideKey: Service['hideKey']): string {
	return path === '' ? '' : ` Remove the path ${hideKey(path)} from its end.`;
}

function acceptance({ origin }: Service['baseUrl']): string {
	const { protocol, hostname } = new URL(origin);
	const isReadable = protocol === 'http:' && !OWN_HOSTS.includes(hostname);
	const warning = isReadable
		? ' With http://, the key is sent unencrypted. Use https:// if you can.'
		: '';
	return `The service accepted the key. Nothing was generated.${warning}`;
}
