import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import type { Deadline } from './deadline';

/** How a call takes part in what n8n does for it. */
export interface CallHooks {
	deadline: Deadline;
	/** Takes the credential that n8n is about to use. @throws if it must not be used. */
	onCredential: (credential: ICredentialDataDecryptedObject) => void;
	/** Told when n8n could not read the credential, or it must not be used. */
	onRefusal: (reason: unknown) => void;
}

/**
 * The node's context for one call with the credential. n8n takes the signal from the context, not
 * from the request's options, and reads the credential anew for each call (2.40.3, 1.123.81): an
 * edit in mid-run takes effect at once, and a vault may be away.
 */
export function callContext(
	context: IExecuteFunctions,
	{ deadline, onCredential, onRefusal }: CallHooks,
): IExecuteFunctions {
	const getCredentials = async (type: string): Promise<ICredentialDataDecryptedObject> => {
		try {
			const credential = await deadline.wait(context.getCredentials(type));
			onCredential(credential);
			return credential;
		} catch (error) {
			onRefusal(error);
			const reason: unknown = error;
			throw reason;
		}
	};
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => deadline.signal },
		getCredentials: { value: getCredentials },
	}) as IExecuteFunctions;
}
