import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
	INodeType,
} from 'n8n-workflow';

import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';

/** Tests a credential as n8n's dialog does, with n8n's own request helper. */
export async function testCredential(
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const node: INodeType = new ImageGeneration();
	const [{ testedBy } = { testedBy: undefined }] = node.description.credentials ?? [];
	const test = node.methods?.credentialTest?.[testedBy as string];
	if (test === undefined) throw new Error('The credential is tested by nothing');
	const context: ICredentialTestFunctions = new CredentialTestContext();
	return await test.call(context, {
		id: '1',
		name: 'Service',
		type: 'imageGenerationApi',
		data,
	});
}
