import type {
	DisplayCondition,
	IAuthenticate,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

import { BadInput } from '../nodes/ImageGeneration/failures/failures';
import { parseKey } from '../nodes/ImageGeneration/service/key';
import { parseBaseUrl, OWN_HOSTS } from '../nodes/ImageGeneration/service/service';
import { quote } from '../nodes/ImageGeneration/values/text';

/** How an unencrypted Base URL begins, also as it is pasted, in alphabetical order. */
const UNENCRYPTED = [' HTTP://', ' http://', 'HTTP://', 'Http://', 'http://'];

/**
 * Any text that has none of these beginnings, by its place in the alphabet: before, between or after them. n8n
 * evaluates a regular expression whenever it reads the credential, and gives it up on a busy machine (2.41.1).
 */
function beginsWithNone(beginnings: readonly string[]): DisplayCondition[] {
	const between = beginnings.slice(1).map((next, index) => ({
		_cnd: { between: { from: `${beginnings[index]}\uffff`, to: next.slice(0, -1) } },
	}));
	return [
		{ _cnd: { lt: beginnings[0] ?? '' } },
		...between,
		{ _cnd: { gt: `${beginnings.at(-1)}\uffff` } },
	];
}

/** What a Base URL is, unless it is an unencrypted one that leaves this machine. */
const ENCRYPTED_OR_LOCAL: DisplayCondition[] = [
	...beginsWithNone(UNENCRYPTED),
	...UNENCRYPTED.flatMap((beginning) =>
		OWN_HOSTS.flatMap((host) => [
			{ _cnd: { eq: beginning + host } },
			{ _cnd: { startsWith: `${beginning}${host}:` } },
			{ _cnd: { startsWith: `${beginning}${host}/` } },
		]),
	),
];

export class ImageGenerationApi implements ICredentialType {
	name = 'imageGenerationApi';

	displayName = 'Image Generation API';

	icon = {
		light: 'file:../icons/imageGeneration.svg',
		dark: 'file:../icons/imageGeneration.dark.svg',
	} as const;

	documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-image-generation#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.deepai.org',
			description: 'Address of the service, without /api. Any compatible service works.',
		},
		{
			displayName:
				'With http://, others on the network can read the API key. Use https:// if the service supports it.',
			name: 'unencryptedNotice',
			type: 'notice',
			default: '',
			// Not `show`: n8n's public API requires a value for shown fields, even notices (1.123.81).
			displayOptions: { hide: { baseUrl: ENCRYPTED_OR_LOCAL } },
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The API key of your account',
		},
		{
			displayName:
				"To get a key, sign in to the service and copy it from your account's dashboard. API access requires a paid subscription.",
			name: 'keyNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Allow Other Hosts',
			name: 'allowOtherHosts',
			type: 'boolean',
			default: false,
			description:
				"Whether to download images from other servers than the one in 'Base URL' as well. They never get your API key.",
		},
	];

	/**
	 * Sets the header `api-key` (section 5), also for the HTTP Request node. This is a function because
	 * n8n 2.40.3 can't resolve an expression here if binaryMode is combined, and because a key must
	 * never be evaluated as an expression.
	 *
	 * Requests with the key follow no redirects: n8n's client would send the header to the new address,
	 * even on another host (2.40.3, 1.123.81).
	 * @throws BadInput if the request could show the key to anyone but the service at 'Base URL'
	 */
	authenticate: IAuthenticate = async ({ baseUrl, apiKey }, request) => {
		guardRequest(request, baseUrl);
		const headers = { ...request.headers, 'api-key': parseKey(apiKey) };
		return { ...request, headers, ...NO_REDIRECTS };
	};
}

/** HTTP Request uses the older names. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/** The TLS options that identify the client and don't change which servers it trusts. */
const CLIENT_CERTIFICATE = ['cert', 'key', 'passphrase'];

/**
 * Checks that a request goes to the origin of the credential's Base URL, the only place for its key,
 * and that nobody can read the key on the way. The author of a workflow sets all of this, and may not
 * be the owner of the credential.
 * @throws BadInput if the request is not safe, or if the Base URL is invalid
 */
function guardRequest(request: object, baseUrl: unknown): void {
	const { origin } = parseBaseUrl(baseUrl);
	const reason = reasonAgainst(request as Options, origin);
	if (reason === undefined) return;
	throw new BadInput(
		`${reason} Nothing was sent.`,
		"Use this credential only for the service at its 'Base URL'.",
	);
}

/** A request's options, under n8n's current and older names (2.41.1, 1.123.81). */
type Options = Readonly<Record<string, unknown>>;

function reasonAgainst(request: Options, origin: string): string | undefined {
	const address = textOf(request.url ?? request.uri ?? '');
	const base = textOf(request.baseURL ?? undefined);
	const target = address === undefined ? undefined : originOf(address, base);
	// Clients combine a base and a relative address in different ways, so check both.
	if (target !== origin || (base !== undefined && originOf(base) !== origin))
		return `The request goes to ${quote(target ?? address)}, but this credential is only for ${origin}.`;
	if (request.proxy)
		return "The request goes through a proxy, which could read the API key. Remove 'Proxy' from the node's options. A proxy for all of n8n is allowed.";
	if (request.rejectUnauthorized === false || request.skipSslCertificateValidation)
		return "The request does not check the certificate of the service, so another server could read the API key. Turn off 'Ignore SSL Issues (Insecure)' in the node's options.";
	if (namesOf(request.agentOptions).some((name) => !CLIENT_CERTIFICATE.includes(name)))
		return "The request changes which certificates are trusted, so another server could read the API key. Remove 'CA' from the node's SSL certificates.";
	if (namesOf(request.headers).some((name) => name.trim().toLowerCase() === 'host'))
		return "The request has a header 'Host', which could take the API key to another service. Remove the header.";
	return undefined;
}

function namesOf(options: unknown): string[] {
	return Object.keys(Object(options) as object);
}

/** Not of other objects: an expression can return one that gives the client another text than this check. */
function textOf(address: unknown): string | undefined {
	if (address instanceof URL) return address.href;
	return typeof address === 'string' ? address : undefined;
}

function originOf(address: string, base?: string): string | undefined {
	return URL.canParse(address, base) ? new URL(address, base).origin : undefined;
}
