import type { ICredentialTestFunctions } from 'n8n-workflow';

import { Failed, settle, type FailureOf } from '../failures/failures';
import { readText } from '../images/readable';
import { asRecord } from '../values/asRecord';
import { Deadline, onAbort, orAborted } from '../wait';
import { toConnectionFailure } from './connectionFailure';
import { parseJobResult } from './response';
import type { Service } from './service';
import type { StreamedResponse } from './submit';

/** Time limit, in seconds. */
const TIMEOUT = 30;

/** What of a response tells whether the key was accepted. */
export type Answer = Pick<FailureOf<'rejection'>, 'status' | 'serviceMessage' | 'location'> & {
	/** What came from something in between instead. */
	intercepted?: FailureOf<'intercepted'>;
};

/**
 * Sends a request without the required `text`, so that the service checks the key and generates
 * nothing (sections 4.1 and 5).
 * @returns what it answers, which is no job result
 * @throws Failed with a ConnectionFailure
 */
export async function requestWithoutText(
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
		return { status, headers, request: asRecord(body).req, ...(await readText(body)) };
	};
	const response = await orAborted(send(), deadline.signal)
		.catch((error: unknown) => {
			throw new Failed(toConnectionFailure(error, service, deadline));
		})
		.finally(() => deadline.end());
	const { status } = response;
	const parsed = await settle(Promise.resolve(response).then((it) => parseJobResult(it, service)));
	if ('value' in parsed) return { status };
	const { failure } = parsed;
	if (failure.kind === 'unreachable') throw new Failed(failure);
	return failure.kind === 'intercepted' ? { status, intercepted: failure } : { ...failure, status };
}
