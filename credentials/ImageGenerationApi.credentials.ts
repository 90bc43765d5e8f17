import type { IAuthenticate, ICredentialType, INodeProperties } from 'n8n-workflow';

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
			placeholder: 'https://api.deepai.org',
			description:
				'The address of the service, without the /api at its end. Any service that speaks this API will do.',
		},
		{
			displayName:
				'Over http:// anyone on the way can read the API key. Use https:// if the service has it.',
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
			description:
				'Sign in to the service and copy the key from the dashboard of your account. API access needs a paid subscription.',
		},
	];

	/**
	 * The key goes into the header `api-key` (section 5), for the HTTP Request node, too. A function,
	 * because n8n 2.40.3 can't resolve an expression here where binaryMode is combined, and because
	 * nothing in a key is to be taken for an expression. Spaces around it come from pasting.
	 */
	authenticate: IAuthenticate = async ({ apiKey }, request) =>
		await Promise.resolve({
			...request,
			headers: { ...request.headers, 'api-key': typeof apiKey === 'string' ? apiKey.trim() : '' },
		});
}
