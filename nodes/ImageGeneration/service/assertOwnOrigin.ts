import { BadInput } from '../failures/failures';
import { quote } from '../failures/quote';
import { parseBaseUrl } from './baseUrl';

/** A request's address, by the names of n8n's requests old and new. */
interface Addressed {
	url?: unknown;
	/** The older name, which HTTP Request uses (2.40.3 and 1.123.81). */
	uri?: unknown;
	baseURL?: unknown;
}

/**
 * Lets a request pass only if it leads to the origin of a credential's Base URL, as that is where
 * the credential's key belongs.
 * @throws BadInput in all other cases, or if the Base URL can't be used
 */
export function assertOwnOrigin(request: object, baseUrl: unknown): void {
	const { origin } = parseBaseUrl(baseUrl);
	const { url, uri, baseURL } = request as Addressed;
	const address = text(url ?? uri) ?? '';
	const base = text(baseURL);
	// Clients put a relative address and its base together in different ways, so both must fit.
	const parts = base === undefined ? [address] : [base, resolved(address, base)];
	if (parts.every((part) => originOf(part) === origin)) return;
	throw new BadInput(
		`The request goes to ${quote(parts.at(-1))}, but this credential is only for ${origin}. Nothing was sent.`,
	);
}

function text(address: unknown): string | undefined {
	return address instanceof URL ? address.href : typeof address === 'string' ? address : undefined;
}

function originOf(address: string): string | undefined {
	return URL.canParse(address) ? new URL(address).origin : undefined;
}

function resolved(address: string, base: string): string {
	return URL.canParse(address, base) ? new URL(address, base).href : address;
}
