import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { parseBaseUrl, type BaseUrl } from './baseUrl';

/** The credential's name; part of saved workflows. */
export const CREDENTIAL = 'imageGenerationApi';

/** The service of a run. */
export interface Service {
	/** Tells accounts apart by address and key, without holding the key. */
	account: string;
	address: BaseUrl;
	/** Blanks out the key in what the service says, so that no message or output carries it. */
	hideKey: (text: string) => string;
}

// A shorter key could be an everyday word, and blanking it out would garble what the service says.
const SHORTEST_HIDDEN_KEY = 8;

/** @throws BadInput when the credential's address or key can't be used. */
export async function loadService(context: IExecuteFunctions): Promise<Service> {
	return toService(await context.getCredentials(CREDENTIAL));
}

/** @throws BadInput when the credential's address or key can't be used. */
export function toService(credential: ICredentialDataDecryptedObject): Service {
	const key = parseKey(credential.apiKey);
	const address = parseBaseUrl(credential.baseUrl);
	return {
		account: createHash('sha256')
			.update(`${address.endpoint('')} ${key}`)
			.digest('base64url'),
		address,
		hideKey: (text) => (key.length < SHORTEST_HIDDEN_KEY ? text : blanked(text, key)),
	};
}

/**
 * The key without the spaces and line breaks around it that come along when it is pasted.
 * @throws BadInput when it is empty or can't stand in a header.
 */
export function parseKey(given: unknown): string {
	const key = typeof given === 'string' ? given.trim() : '';
	if (key === '') {
		throw new BadInput(
			'API Key of the credential is empty.',
			'Copy the key from the dashboard of your account.',
		);
	}
	if (/[\r\n]/.test(key)) {
		throw new BadInput(
			'API Key of the credential holds a line break. Allowed: one line of plain characters.',
			'Paste the key again, without the line break.',
		);
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new BadInput(
			'API Key of the credential holds a space or a special character. Allowed: one line of plain characters.',
			'Copy the key again from the dashboard of your account.',
		);
	}
	return key;
}

// As it is, and as it stands in JSON and in an address. Some services escape slashes in JSON, too.
function blanked(text: string, key: string): string {
	const inJson = JSON.stringify(key).slice(1, -1);
	const forms = [key, inJson, inJson.replaceAll('/', '\\/'), encodeURIComponent(key)];
	return forms.reduce((shown, form) => shown.replaceAll(form, '•••'), text);
}
