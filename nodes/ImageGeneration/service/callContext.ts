import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import type { Deadline } from './deadline';
import { orAborted } from './orAborted';

/** Hooks into n8n's handling of one request. */
export interface CallHooks {
	deadline: Deadline;
	/** Receives the credential that n8n is about to use. @throws if it must not be used. */
	onCredential: (credential: ICredentialDataDecryptedObject) => void;
	/** Receives the reason if the credential can't be read or must not be used. */
	onRejection: (reason: unknown) => void;
}

/**
 * Wraps the node's context for one request with the credential. n8n reads the abort signal from the
 * context, not from the request's options. It also reads the credential for each request (2.40.3,
 * 1.123.81), so an edit takes effect during the run, and an external vault may be unavailable.
 */
export function callContext(
	context: IExecuteFunctions,
	{ deadline, onCredential, onRejection }: CallHooks,
): IExecuteFunctions {
	const getCredentials = async (type: string): Promise<ICredentialDataDecryptedObject> => {
		try {
			const credential = await orAborted(context.getCredentials(type), deadline.signal);
			onCredential(credential);
			return credential;
		} catch (error) {
			onRejection(error);
			const reason: unknown = error;
			throw reason;
		}
	};
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => deadline.signal },
		getCredentials: { value: getCredentials },
	}) as IExecuteFunctions;
}
