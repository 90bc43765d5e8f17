import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { BadInput, Failed } from '../failures/failures';
import { toConnectionFailure } from './connectionFailure';
import type { Deadline } from './deadline';
import type { Service } from './service';
import { orAborted } from './wait';

/** The context of one request. */
export interface Call {
	context: IExecuteFunctions;
	/** Why the credential can't be read or must not be used. */
	rejection?: Failed;
}

/**
 * Wraps the node's context for one request with the credential. n8n reads the abort signal from the
 * context, not from the request's options. It also reads the credential for each request (2.40.3,
 * 1.123.81), so an edit takes effect during the run, and an external vault may be unavailable.
 */
export function callContext(
	context: IExecuteFunctions,
	service: Service,
	deadline: Deadline,
): Call {
	const getCredentials = async (type: string): Promise<ICredentialDataDecryptedObject> => {
		try {
			const credential = await orAborted(context.getCredentials(type), deadline.signal);
			service.accept(credential);
			return credential;
		} catch (error) {
			const { message } = toConnectionFailure(error, service);
			call.rejection =
				error instanceof BadInput ? error : new Failed({ kind: 'no credential', message });
			throw call.rejection;
		}
	};
	const call: Call = {
		context: Object.create(context, {
			getExecutionCancelSignal: { value: () => deadline.signal },
			getCredentials: { value: getCredentials },
		}) as IExecuteFunctions,
	};
	return call;
}
