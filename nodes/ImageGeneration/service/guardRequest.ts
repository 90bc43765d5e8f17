import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';
import { parseBaseUrl } from './baseUrl';

/** A request's options, under n8n's current and older names (2.40.3, 1.123.81). */
type Options = Readonly<Record<string, unknown>>;

/** The TLS options that identify the client and don't change which servers it trusts. */
const CLIENT_CERTIFICATE = ['cert', 'key', 'passphrase'];

/**
 * Checks that a request goes to the origin of the credential's Base URL, the only place for its key,
 * and that nobody can read the key on the way. The author of a workflow sets all of this, and may not
 * be the owner of the credential.
 * @throws BadInput if the request is not safe, or if the Base URL is invalid
 */
export function guardRequest(request: object, baseUrl: unknown): void {
	const { origin } = parseBaseUrl(baseUrl);
	const options = request as Options;
	const reason = wrongOrigin(options, origin) ?? unsafeOption(options);
	if (reason === undefined) return;
	throw new BadInput(
		`${reason} Nothing was sent.`,
		"Use this credential only for the service at its 'Base URL'.",
	);
}

function wrongOrigin({ url, uri, baseURL }: Options, origin: string): string | undefined {
	const address = toText(url ?? uri) ?? '';
	const base = toText(baseURL);
	// Clients combine a base and a relative address in different ways, so check both.
	const parts = base === undefined ? [address] : [base, resolve(address, base)];
	if (parts.every((part) => originOf(part) === origin)) return undefined;
	return `The request goes to ${quote(parts.at(-1))}, but this credential is only for ${origin}.`;
}

function unsafeOption(request: Options): string | undefined {
	if (request.proxy) {
		return "The request goes through a proxy, which could read the API key. Remove 'Proxy' from the node's options. A proxy for all of n8n is allowed.";
	}
	if (request.rejectUnauthorized === false || request.skipSslCertificateValidation) {
		return "The request does not check the certificate of the service, so another server could read the API key. Turn off 'Ignore SSL Issues (Insecure)' in the node's options.";
	}
	if (namesOf(request.agentOptions).some((name) => !CLIENT_CERTIFICATE.includes(name))) {
		return "The request changes which certificates are trusted, so another server could read the API key. Remove 'CA' from the node's SSL certificates.";
	}
	if (namesOf(request.headers).some((name) => name.trim().toLowerCase() === 'host')) {
		return "The request has a header 'Host', which could take the API key to another service. Remove the header.";
	}
	return undefined;
}

function namesOf(options: unknown): string[] {
	return Object.keys(Object(options) as object);
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
