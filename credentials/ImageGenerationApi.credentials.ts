import type {
	IAuthenticate,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { guardRequest } from '../nodes/ImageGeneration/service/guardRequest';
import { parseKey } from '../nodes/ImageGeneration/service/key';

/** Matches every address except unencrypted ones that leave this machine. */
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
			// Not `show`: n8n's public API requires a value for shown fields, even notices (1.123.81).
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
	 * Sets the header `api-key` (section 5), also for the HTTP Request node. This is a function because
	 * n8n 2.40.3 can't resolve an expression here if binaryMode is combined, and because a key must
	 * never be evaluated as an expression.
	 *
	 * Requests with the key follow no redirects: n8n's client would send the header to the new address,
	 * even on another host (2.40.3, 1.123.81). HTTP Request uses the older option names.
	 * @throws BadInput if the request could show the key to anyone but the service at 'Base URL'
	 */
	authenticate: IAuthenticate = async ({ baseUrl, apiKey }, request) => {
		guardRequest(request, baseUrl);
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
