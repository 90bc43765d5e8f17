import type { ICredentialTestFunctions } from 'n8n-workflow';

import { Failed } from '../failures/failures';
import { readText, type Readable } from '../images/readable';
import { toConnectionFailure } from './connectionFailure';
import type { Service } from './service';
import { Deadline, orAborted } from './wait';

/** Time limit, in seconds. */
const TIMEOUT = 30;

/**
 * Sends a request without the required `text`, so that the service checks the key and generates
 * nothing (sections 4.1 and 5).
 * @returns the response, with the key hidden
 * @throws Failed with a ConnectionFailure
 */
export async function requestWithoutText(
	{ helpers }: ICredentialTestFunctions,
	service: Service,
	key: string,
): Promise<{ status: number; text: string }> {
	const deadline = new Deadline(TIMEOUT);
	const send = async () => {
		// The only request function in credential tests. It accepts no signal, and never settles after a
		// 101 (2.40.3, 1.123.81).
		const { statusCode: status, body } = (await helpers.request({
			method: 'POST',
			uri: service.baseUrl.endpoint('text2img'),
			headers: { 'api-key': key, Accept: 'application/json' },
			formData: { width: '512', height: '512' },
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			useStream: true,
			timeout: TIMEOUT * 1000,
		})) as { statusCode: number; body: Readable };
		deadline.signal.addEventListener('abort', () => body.destroy());
		body.on('error', () => {});
		const { text } = await readText(body);
		return { status, text: service.hideKey(text) };
	};
	return await orAborted(send(), deadline.signal)
		.catch((error: unknown) => {
			throw new Failed(toConnectionFailure(error, service, deadline));
		})
		.finally(() => deadline.end());
}
