import { BadInput } from '../failures/failures';
import { quote } from '../failures/quote';
import { parseBaseUrl } from './baseUrl';

/** A request's address, under n8n's current and older names. */
interface Addressed {
	url?: unknown;
	/** The older name, which HTTP Request uses (2.40.3, 1.123.81). */
	uri?: unknown;
	baseURL?: unknown;
}

/**
 * Checks that a request goes to the origin of the credential's Base URL, the only place for its key.
 * @throws BadInput if it goes elsewhere, or if the Base URL is invalid
 */
export function assertOwnOrigin(request: object, baseUrl: unknown): void {
	const { origin } = parseBaseUrl(baseUrl);
	const { url, uri, baseURL } = request as Addressed;
	const address = toText(url ?? uri) ?? '';
	const base = toText(baseURL);
	// Clients combine a base and a relative address in different ways, so check both.
	const parts = base === undefined ? [address] : [base, resolve(address, base)];
	if (parts.every((part) => originOf(part) === origin)) return;
	throw new BadInput(
		`The request goes to ${quote(parts.at(-1))}, but this credential is only for ${origin}. Nothing was sent.`,
	);
}

function toText(address: unknown): string | undefined {
	return address instanceof URL ? address.href : typeof address === 'string' ? address : undefined;
}

function originOf(address: string): string | undefined {
	return URL.canParse(address) ? new URL(address).origin : undefined;
}

function resolve(address: string, base: string): string {
	return URL.canParse(address, base) ? new URL(address, base).href : address;
}
