import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { parseBaseUrl, type BaseUrl } from './baseUrl';
import { keyHider, parseKey } from './key';

/** The credential's name; part of saved workflows. */
export const CREDENTIAL = 'imageGenerationApi';

/** The service of a run. */
export interface Service {
	/** Identifies the address and the key by a hash. */
	account: string;
	baseUrl: BaseUrl;
	/** Hides every key of the run in a text, so that no message or output contains one. */
	hideKey: (text: string) => string;
	/**
	 * Checks the credential that n8n uses for a request, which may have been edited during the run.
	 * From then on its key is hidden as well.
	 * @throws BadInput if it is invalid, or now belongs to another service.
	 */
	accept: (credential: ICredentialDataDecryptedObject) => void;
}

/** Reads the credential. @throws BadInput if its address or key is invalid. */
export async function loadService(context: IExecuteFunctions): Promise<Service> {
	return toService(await context.getCredentials(CREDENTIAL));
}

/** @throws BadInput if the credential's address or key is invalid. */
export function toService(credential: ICredentialDataDecryptedObject): Service {
	const key = parseKey(credential.apiKey);
	const hiders = new Map([[key, keyHider(key)]]);
	const hideKey = (text: string) =>
		[...hiders.values()].reduce((redacted, hide) => hide(redacted), text);
	const baseUrl = parseBaseUrl(credential.baseUrl, hideKey);
	return {
		account: createHash('sha256')
			.update(`${baseUrl.endpoint('')} ${key}`)
			.digest('base64url'),
		baseUrl,
		hideKey,
		accept: (current) => {
			const currentKey = parseKey(current.apiKey);
			if (!hiders.has(currentKey)) hiders.set(currentKey, keyHider(currentKey));
			const { origin } = parseBaseUrl(current.baseUrl, hideKey);
			if (origin === baseUrl.origin) return;
			throw new BadInput(
				`The credential was edited while the workflow was running: its 'Base URL' now points to ${hideKey(origin)}.`,
				'Nothing was sent. Run the workflow again to use the new service.',
			);
		},
	};
}
