import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { ImageGenerationApi } from '../../credentials/ImageGenerationApi.credentials';

/** n8n's access to a single credential. Requests are authenticated by the credential's own code. */
export function credentialsHelper(credential: ICredentialDataDecryptedObject): ICredentialsHelper {
	return new SingleCredential(credential);
}

class SingleCredential extends ICredentialsHelper {
	readonly #type = new ImageGenerationApi();

	constructor(private readonly credential: ICredentialDataDecryptedObject) {
		super();
	}

	getParentTypes() {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	async getDecrypted() {
		return await Promise.resolve({ ...this.credential });
	}

	getCredentialsProperties() {
		return this.#type.properties;
	}

	async preAuthentication() {
		await Promise.resolve();
		return undefined;
	}

	async runPreAuthentication() {
		await Promise.resolve();
		return undefined;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		request: IHttpRequestOptions,
	) {
		const { authenticate } = this.#type;
		if (typeof authenticate !== 'function')
			throw new Error('The credential does not sign by itself');
		return await authenticate(credentials, request);
	}

	async getCredentials(): Promise<never> {
		return await Promise.reject(new Error('Not needed in these tests'));
	}

	async updateCredentials() {
		await Promise.resolve();
	}

	async updateCredentialsOauthTokenData() {
		await Promise.resolve();
	}
}
