import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

/** A credentials helper with one credential of this package's type. */
export function credentialsHelper(credential: ICredentialDataDecryptedObject): ICredentialsHelper {
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getDecrypted: async () => ({ ...credential }),
		getCredentialsProperties: () => [],
		preAuthentication: async () => undefined,
		authenticate: async ({ apiKey }, _type, request) => ({
			...(request as IHttpRequestOptions),
			headers: { ...request.headers, 'api-key': apiKey as string },
		}),
	};
	return helper as ICredentialsHelper;
}
