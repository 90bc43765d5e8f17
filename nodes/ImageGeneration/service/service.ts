import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { parseBaseUrl, type BaseUrl } from './baseUrl';
import { BLANK, keyHider, parseKey } from './key';

/** The credential's name; part of saved workflows. */
export const CREDENTIAL = 'imageGenerationApi';

/** The service of a run. */
export interface Service {
	/** Tells accounts apart by address and key, without holding the key. */
	account: string;
	baseUrl: BaseUrl;
	/**
	 * Blanks out every key of the run in what the service says, so that no message or output carries
	 * it.
	 */
	hideKey: (text: string) => string;
	/** Blanks out every key in a link, which {@link revealLink} still knows. */
	hideLink: (link: string) => string;
	/** The working link behind one whose key was blanked out, in this run or an earlier one. */
	revealLink: (shown: string) => string;
	/**
	 * Takes up the credential as n8n hands it out for a call: it may have been edited in mid-run.
	 * Its key is blanked out, too, from now on.
	 * @throws BadInput when it can't be used, or belongs to another service by now.
	 */
	accept: (credential: ICredentialDataDecryptedObject) => void;
}

/** @throws BadInput when the credential's address or key can't be used. */
export async function loadService(context: IExecuteFunctions): Promise<Service> {
	return toService(await context.getCredentials(CREDENTIAL));
}

/** @throws BadInput when the credential's address or key can't be used. */
export function toService(credential: ICredentialDataDecryptedObject): Service {
	const key = parseKey(credential.apiKey);
	const hiders = new Map([[key, keyHider(key)]]);
	const hideKey = (text: string) => [...hiders.values()].reduce((shown, hide) => hide(shown), text);
	const links = new Map<string, string>();
	const baseUrl = parseBaseUrl(credential.baseUrl, hideKey);
	return {
		account: createHash('sha256')
			.update(`${baseUrl.endpoint('')} ${key}`)
			.digest('base64url'),
		baseUrl,
		hideKey,
		hideLink: (link) => {
			const shown = hideKey(link);
			if (shown !== link) links.set(shown, link);
			return shown;
		},
		revealLink: (shown) => links.get(shown) ?? shown.replaceAll(BLANK, encodeURIComponent(key)),
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
