import { hash } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { quote } from '../values/text';
import { isWebAddress } from '../values/webAddress';
import { keyHider, parseKey } from './key';

/** The credential's name; part of saved workflows. */
export const CREDENTIAL = 'imageGenerationApi';

/** The address of a service. */
export interface BaseUrl {
	/** Scheme, host and port. The key is sent only there. */
	origin: string;
	/** The path before `/api`, such as `/v2`; usually empty. */
	path: string;
	/** Returns the address of a tool's endpoint (section 4). */
	endpoint: (model: string) => string;
}

/** The service of a run. */
export interface Service {
	/** Identifies the address and the key by a hash. */
	account: string;
	baseUrl: BaseUrl;
	/** Whether images may be downloaded from other hosts, which never get the key. */
	allowsOtherHosts: boolean;
	/** Hides the key in a text, so that no message or output contains it. */
	hideKey: (text: string) => string;
	/** As n8n returned it when the run started. An edit counts from the next run on. */
	credential: ICredentialDataDecryptedObject;
}

/** @throws BadInput if the credential's address or key is invalid. */
export function toService(credential: ICredentialDataDecryptedObject): Service {
	const key = parseKey(credential.apiKey);
	const hideKey = keyHider(key);
	const baseUrl = parseBaseUrl(credential.baseUrl, hideKey);
	return {
		account: hash('sha256', `${baseUrl.endpoint('')} ${key}`, 'base64url'),
		baseUrl,
		allowsOtherHosts: credential.allowOtherHosts === true,
		hideKey,
		credential,
	};
}

/** Hosts of this machine, in front of which nobody else can read the key. */
export const OWN_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A host name without `https://`. With a port it could be http as well, and so could the name of a machine
 * or an IP address.
 */
const BARE_HOST = /^(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24}(?:\/[^@]*)?$/i;

/** What may follow the path before `/api`. The lookbehind avoids quadratic time. */
const API = /(?<!\/)\/+(api(\/+[^/]+)?\/*)?$/;

/**
 * Parses a pasted Base URL, which may have spaces around it, a trailing slash, `/api`, or a whole
 * endpoint such as `/api/text2img`. A path before `/api` is kept. A host name alone means https.
 * @param hideKey Hides the key in messages, in case it was pasted here.
 * @throws BadInput unless it is an http or https address without a user name.
 */
export function parseBaseUrl(pasted: unknown, hideKey = (text: string) => text): BaseUrl {
	const entered = typeof pasted === 'string' ? pasted.trim() : '';
	// A key that was pasted here must not become a host that is looked up.
	const isBareHost = BARE_HOST.test(entered) && hideKey(entered) === entered;
	const text = isBareHost ? `https://${entered}` : entered;
	if (text === '') {
		throw new BadInput(
			"'Base URL' in the credential is empty.",
			'Enter the address of the service.',
		);
	}
	if (!isWebAddress(text)) {
		const shown = isAddress(text) ? quote(hideKey(text)) : 'not an address';
		throw new BadInput(
			`'Base URL' in the credential is ${shown}. Allowed: an address starting with https:// or http://, such as https://api.deepai.org.`,
			"Copy the address from your service's documentation.",
		);
	}
	const { origin, pathname, username, password } = new URL(text);
	if (username !== '' || password !== '') {
		throw new BadInput(
			"'Base URL' in the credential contains a user name or password.",
			"Enter only the address here, and the key in 'API Key'.",
		);
	}
	const path = pathname.replace(API, '');
	return {
		origin,
		path,
		endpoint: (model) => `${origin}${path}/api/${model}`,
	};
}

/** Whether messages may show it. Anything else may be a key, or contain a password. */
function isAddress(text: string): boolean {
	return !text.includes('@') && /^[^/:]*\.[a-z]{2,24}([/:]|$)|:\/\//i.test(text);
}
