import { cutOut } from '../pictures/cutOut';
import { describeAsXmp } from '../pictures/xmp';
import { image } from './parameters';
import { imageOf, type ToolDefinition } from './tool';

/** Background Remover (specification 4.2). */
export const backgroundRemover: ToolDefinition = {
	id: 'background-remover',
	summary: 'Removes the background of an image',
	parameters: [image],
	price: 'background-remover',
	output: { mimeType: 'image/png', extension: 'png' },
	async make(job, file) {
		await cutOut(imageOf(job), describeAsXmp('background-remover', job.settings), file);
		return undefined;
	},
};
