import type {
	IAuthenticate,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { assertOwnOrigin } from '../nodes/ImageGeneration/service/assertOwnOrigin';
import { parseKey } from '../nodes/ImageGeneration/service/key';

/** Any address but one whose key would cross a network as it is; loopback is none of these. */
const SAFE = '^(?!\\s*[hH][tT][tT][pP]://(?!(localhost|127(\\.\\d+){3}|\\[::1\\])([:/]|\\s*$)))';

export class ImageGenerationApi implements ICredentialType {
	name = 'imageGenerationApi';

	displayName = 'Image Generation API';

	icon = {
		light: 'file:../icons/imageGeneration.svg',
		dark: 'file:../icons/imageGeneration.dark.svg',
	} as const;

	documentationUrl = 'https://n8n-nodes-image-generation.invalid/#credential';

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
			// No `show`: the public API of n8n 1.123.81 demands a value for what is shown, notices included.
			displayOptions: { hide: { baseUrl: [{ _cnd: { regex: SAFE } }] } },
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
	];

	/**
	 * Puts the key into the header `api-key` (section 5), also for the HTTP Request node. A function,
	 * because n8n 2.40.3 can't resolve an expression here where binaryMode is combined, and because
	 * nothing in a key is to be taken for an expression.
	 *
	 * n8n's client takes the header along on a redirect, to another host as well (seen on 2.40.3 and
	 * 1.123.81), so no call that carries the key follows one. HTTP Request has the older names.
	 * @throws BadInput if the request leads anywhere but to the origin of this credential's Base URL
	 */
	authenticate: IAuthenticate = async ({ baseUrl, apiKey }, request) => {
		assertOwnOrigin(request, baseUrl);
		const authenticated: IHttpRequestOptions & LegacyRedirects = {
			...request,
			headers: { ...request.headers, 'api-key': parseKey(apiKey) },
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		};
		return await Promise.resolve(authenticated);
	};
}

interface LegacyRedirects {
	followRedirect: false;
	followAllRedirects: false;
}
