import type { IAuthenticate, IAuthenticateGeneric, ICredentialType, INodeType } from 'n8n-workflow';

type Credential = ICredentialType & { authenticate: Exclude<IAuthenticate, IAuthenticateGeneric> };

// What ships: `npm test` builds before it runs the tests. An import would want it for the type check.
export const { ImageGeneration } = jest.requireActual<{ ImageGeneration: new () => INodeType }>(
	'../../dist/nodes/ImageGeneration/ImageGeneration.node.js',
);
export const { ImageGenerationApi } = jest.requireActual<{
	ImageGenerationApi: new () => Credential;
}>('../../dist/credentials/ImageGenerationApi.credentials.js');
