import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { Failed, toFailure } from '../failures/failures';
import { endSentence } from '../failures/text';
import { readText } from '../images/readable';
import { toConnectionFailure } from '../service/connectionFailure';
import { parseKey } from '../service/key';
import { parseJobResult } from '../service/response';
import { ENCRYPTED_OR_LOCAL, toService, type Service } from '../service/service';
import type { StreamedResponse } from '../service/submit';
import { Deadline, onAbort, orAborted } from '../wait';
import type { FailureOf } from './message';
import { messageFor, statusAdvice } from './messages';

/** Time limit, in seconds. */
const TIMEOUT = 30;

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
		if (problem === undefined) return { status: 'OK', message: acceptance(data.baseUrl) };
		const { serviceMessage: said } = answer;
		const quoted = said === undefined ? '' : `The service says: ${endSentence(said)} `;
		return { status: 'Error', message: `${quoted}${problem}` };
	} catch (error) {
		const { title, advice } = messageFor(toFailure(error));
		return { status: 'Error', message: `${endSentence(title)} ${advice}`.trim() };
	}
}

/** What of a response tells whether the key was accepted. */
type Answer = Pick<FailureOf<'rejection'>, 'status' | 'serviceMessage' | 'location'>;

/**
 * Sends a request without the required `text`, so that the service checks the key and generates
 * nothing (sections 4.1 and 5).
 * @returns what it answers, which is no job result
 * @throws Failed with a ConnectionFailure
 */
async function requestWithoutText(
	{ helpers }: ICredentialTestFunctions,
	service: Service,
	key: string,
): Promise<Answer> {
	const deadline = new Deadline(TIMEOUT);
	const send = async () => {
		// The only request function in credential tests. It accepts no signal, and never settles after a
		// 101 (2.40.3, 1.123.81).
		const {
			statusCode: status,
			headers,
			body,
		} = (await helpers.request({
			method: 'POST',
			uri: service.baseUrl.endpoint('text2img'),
			headers: { 'api-key': key, Accept: 'application/json' },
			formData: { width: '512', height: '512' },
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			useStream: true,
			timeout: TIMEOUT * 1000,
		})) as StreamedResponse;
		onAbort(deadline.signal, () => body.destroy());
		body.on('error', () => {});
		return { status, headers, ...(await readText(body)) };
	};
	const response = await orAborted(send(), deadline.signal)
		.catch((error: unknown) => {
			throw new Failed(toConnectionFailure(error, service, deadline));
		})
		.finally(() => deadline.end());
	const { status } = response;
	try {
		parseJobResult(response, service);
		return { status };
	} catch (error) {
		return { ...toFailure(error), status };
	}
}

/** Statuses of refusals. Section 7 does not define any, so what the service's message is about counts as well. */
const REFUSALS: Array<[status: number, about: RegExp | undefined]> = [
	[402, undefined],
	[403, /\b(subscri|payment|billing|wallet|allowance|plan\b|credit|quota|upgrade)/i],
	[
		401,
		/\b(api[-_ ]?)?keys?\b|\btoken|\bcredential|\bauth|\bunauth|\blog ?in\b|\bsign ?in\b|\bforbidden|\bdenied/i,
	],
];
const ABOUT_REQUEST = /\b(text|prompt|parameters?|params?|fields?|inputs?|arguments?)\b/i;

/** Why the credential does not work; undefined if the service only asks for the text. */
function problemIn(
	{ status, serviceMessage: said, location }: Answer,
	{ baseUrl, hideKey }: Service,
): string | undefined {
	const isRedirect = status >= 300 && status < 400;
	if (isRedirect || REFUSALS.some(([refusal]) => refusal === status))
		return statusAdvice(status, location);
	if (status === 429) return 'Too many requests at the moment. Test again later.';
	if (status >= 500) return `The service is having trouble (status ${status}). Test again later.`;
	const origin = hideKey(baseUrl.origin);
	const path = baseUrl.path && ` Remove the path ${hideKey(baseUrl.path)} from its end.`;
	const notThisApi = `A server responds at ${origin}, but it is not this API (status ${status}). Check 'Base URL'.${path}`;
	if (said === undefined) return notThisApi;
	const isAboutRequest = ABOUT_REQUEST.test(said);
	const [refusal] = REFUSALS.find(([, about]) => about?.test(said)) ?? [];
	if (refusal !== undefined && !isAboutRequest) return statusAdvice(refusal);
	if (![400, 422].includes(status)) return notThisApi;
	const isClear = isAboutRequest && refusal === undefined;
	return isClear ? undefined : "It is unclear whether the key was accepted. Check 'API Key'.";
}

function acceptance(baseUrl: unknown): string {
	const warning = new RegExp(ENCRYPTED_OR_LOCAL).test(String(baseUrl))
		? ''
		: ' With http://, the key is sent unencrypted. Use https:// if you can.';
	return `The service accepted the key. Nothing was generated.${warning}`;
}
