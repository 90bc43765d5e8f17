import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';

/** The service's address. */
export interface BaseUrl {
	/** Scheme, host and port. The key is sent only there. */
	origin: string;
	/** The path before `/api`, such as `/v2`; usually empty. */
	path: string;
	/** Returns the address of a tool's endpoint (section 4). */
	endpoint(model: string): string;
	/** Whether the key would cross a network unencrypted. */
	isUnencrypted: boolean;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const MAX_LENGTH = 2000;

/**
 * Parses a pasted Base URL, which may have spaces around it, a trailing slash, `/api`, or a whole
 * endpoint such as `/api/text2img`. A path before `/api` is kept.
 * @param hideKey Hides the key in messages, in case it was pasted here.
 * @throws BadInput unless it is an http or https address without a user name.
 */
export function parseBaseUrl(
	pasted: unknown,
	hideKey: (text: string) => string = (text) => text,
): BaseUrl {
	const text = typeof pasted === 'string' ? pasted.trim() : '';
	if (text === '') {
		throw new BadInput(
			"'Base URL' in the credential is empty.",
			'Enter the address of the service.',
		);
	}
	if (text.length > MAX_LENGTH) {
		throw new BadInput(
			`'Base URL' in the credential is ${text.length} characters long. Allowed: up to ${MAX_LENGTH}.`,
			'Enter only the address of the service.',
		);
	}
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
		const what = isAddress(text) ? quote(hideKey(withoutUser(text))) : 'not an address';
		throw new BadInput(
			`'Base URL' in the credential is ${what}. Allowed: an address starting with https:// or http://, such as https://api.deepai.org.`,
			"Copy the address from your service's documentation.",
		);
	}
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		throw new BadInput(
			"'Base URL' in the credential contains a user name or password.",
			"Enter only the address here, and the key in 'API Key'.",
		);
	}
	const path = pathBeforeApi(url.pathname);
	return {
		origin: url.origin,
		path,
		endpoint: (model) => `${url.origin}${path}/api/${model}`,
		isUnencrypted: url.protocol === 'http:' && !LOOPBACK.test(url.hostname),
	};
}

function pathBeforeApi(pathname: string): string {
	const segments = withoutEmptyEnd(pathname.split('/'));
	if (segments.at(-2) === 'api') segments.splice(-2);
	else if (segments.at(-1) === 'api') segments.pop();
	return withoutEmptyEnd(segments).join('/');
}

function withoutEmptyEnd(segments: string[]): string[] {
	const last = segments.findLastIndex((segment) => segment !== '');
	return segments.slice(0, last + 1);
}

/** Whether a text looks like an address. Anything else may be a key, and messages must not show it. */
function isAddress(text: string): boolean {
	const [host = ''] = text.split(/[/:]/, 1);
	const lastLabel = host.split('.').at(-1) ?? '';
	return text.includes('://') || (host.includes('.') && /^[a-z]{2,24}$/i.test(lastLabel));
}

function withoutUser(text: string): string {
	const start = text.indexOf('//') + 2;
	const end = text.indexOf('@', start);
	const isUser = start >= 2 && end >= 0 && !text.slice(start, end).includes('/');
	return isUser ? `${text.slice(0, start)}…${text.slice(end)}` : text;
}
