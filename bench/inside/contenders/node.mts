import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { inEngine } from './inEngine.mjs';

/** This package's node, from its tarball. */
export const node = inEngine((job) => {
	const require = createRequire(join(job.package, 'package.json'));
	const { ImageGeneration } = require('./dist/nodes/ImageGeneration/ImageGeneration.node.js') as {
		ImageGeneration: new () => INodeType;
	};
	const name = 'Image Generation';
	const step = {
		name,
		typeName: 'n8n-nodes-image-generation.imageGeneration',
		type: new ImageGeneration(),
		typeVersion: 1,
		parameters: {
			operation: 'removeBackground',
			options: { concurrency: job.concurrency, reuse: 'never' },
		},
	};
	return { steps: [step], links: [{ from: 'Items', output: 0, to: name }], last: name };
});
