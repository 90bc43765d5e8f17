import { BadInput } from '../failures/failures';
import { quote } from '../failures/quote';

/** Where the service is. */
export interface BaseUrl {
	/** Scheme, host and port: the only place the key goes to. */
	origin: string;
	/** The address of a tool's endpoint (section 4). */
	endpoint(model: string): string;
	/** Whether the key would cross a network unencrypted. */
	isUnencrypted: boolean;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Understands the Base URL as people paste it: with spaces around it, a slash at the end, `/api`
 * or a whole endpoint such as `/api/text2img`. A path in front of `/api` is kept.
 * @throws BadInput for anything but an http or https address without a user name.
 */
export function parseBaseUrl(pasted: unknown): BaseUrl {
	const text = typeof pasted === 'string' ? pasted.trim() : '';
	if (text === '') {
		throw new BadInput('Base URL of the credential is empty.', 'Enter the address of the service.');
	}
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
		throw new BadInput(
			`Base URL of the credential is ${quote(withoutUser(text))}. Allowed: an address that starts with https:// or http://, such as https://api.deepai.org.`,
		);
	}
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		throw new BadInput(
			'Base URL of the credential holds a user name or a password. Allowed: the address alone; the key belongs into API Key.',
		);
	}
	const root = `${url.origin}${url.pathname.replace(/(\/api(\/[^/]*)?)?\/*$/, '')}`;
	return {
		origin: url.origin,
		endpoint: (model) => `${root}/api/${model}`,
		isUnencrypted: url.protocol === 'http:' && !LOOPBACK.test(url.hostname),
	};
}

function withoutUser(text: string): string {
	return text.replace(/\/\/[^/@]*@/, '//…@');
}
