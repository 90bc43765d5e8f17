import { cutOut } from '../pictures/cutOut';
import { decode } from '../pictures/decode';
import { describeAsXmp } from '../pictures/xmp';
import { image } from './parameters';
import { imageOf, type ToolDefinition } from './tool';

/** Background Remover (specification 4.2). */
export const backgroundRemover: ToolDefinition = {
	id: 'background-remover',
	summary: 'Removes the background of an image',
	parameters: [image],
	price: () => 'background-remover',
	async make(job) {
		const bytes = await cutOut(
			await decode(imageOf(job)),
			describeAsXmp('background-remover', job.settings),
		);
		return { bytes, mimeType: 'image/png', extension: 'png' };
	},
};
