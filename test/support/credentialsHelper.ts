import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { ImageGenerationApi } from '../../credentials/ImageGenerationApi.credentials';

/** n8n's access to a single credential. Requests are authenticated by the credential's own code. */
export function credentialsHelper(credential: ICredentialDataDecryptedObject): ICredentialsHelper {
	const type = new ImageGenerationApi();
	// The rest is for credentials that n8n refreshes.
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getCredentialsProperties: () => type.properties,
		getDecrypted: async () => ({ ...credential }),
		preAuthentication: async () => undefined,
		authenticate: async (credentials, _typeName, request) => {
			const { authenticate } = type;
			if (typeof authenticate !== 'function') {
				throw new Error('The credential does not sign by itself');
			}
			return await authenticate(credentials, request as IHttpRequestOptions);
		},
	};
	return helper as ICredentialsHelper;
}
