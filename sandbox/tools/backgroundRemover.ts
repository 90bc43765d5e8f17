import { cutOut } from '../pictures/cutOut';
import { decode, pixelsOf } from '../pictures/decode';
import { image } from './parameters';
import { imageOf, type ToolDefinition } from './tool';

/** Background Remover (specification 4.2). */
export const backgroundRemover: ToolDefinition = {
	id: 'background-remover',
	parameters: [image],
	price: () => 'background-remover',
	pixels: async (job) => await pixelsOf(imageOf(job)),
	async make(job) {
		const bytes = await cutOut(await decode(imageOf(job)));
		return { bytes, mimeType: 'image/png', extension: 'png' };
	},
};
