import { cutOut } from '../pictures/cutOut';
import { image } from './parameters';
import { imageOf, type ToolDefinition } from './tool';

/** Background Remover (specification 4.2). */
export const backgroundRemover: ToolDefinition = {
	id: 'background-remover',
	parameters: [image],
	price: 'background-remover',
	output: { mimeType: 'image/png', extension: 'png' },
	async make(job, file) {
		await cutOut(imageOf(job), file);
		return undefined;
	},
};
