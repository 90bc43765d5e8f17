import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeParameters, INodeType } from 'n8n-workflow';
import type { Flow } from '../engine.mjs';

/**
 * A workflow of this package's node alone.
 * @param folder the built package
 */
export function flowOfNode(folder: string, parameters: INodeParameters): Flow {
	const require = createRequire(join(folder, 'package.json'));
	const { ImageGeneration } = require('./dist/nodes/ImageGeneration/ImageGeneration.node.js') as {
		ImageGeneration: new () => INodeType;
	};
	const name = 'Image Generation';
	const step = {
		name,
		typeName: 'n8n-nodes-image-generation.imageGeneration',
		type: new ImageGeneration(),
		typeVersion: 1,
		parameters: { operation: 'removeBackground', ...parameters },
	};
	return { steps: [step], links: [{ from: 'Items', output: 0, to: name }], last: name };
}
