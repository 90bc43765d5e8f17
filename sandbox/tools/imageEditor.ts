import type { Quality } from '../catalog';
import { editPicture } from '../pictures/edit';
import { image, longEdge, oneOf, resolution, text } from './parameters';
import { imageOf, type ToolDefinition } from './tool';

/** Those that a call can name; it leaves the standard one out. */
const editorQualities = ['genius', 'super_genius'] as const satisfies readonly Quality[];

/** AI Photo Editor (specification 4.3). */
export const imageEditor: ToolDefinition = {
	id: 'image-editor',
	parameters: [
		image,
		text('text', true),
		oneOf('image_generator_version', editorQualities),
		resolution,
	],
	output: { mimeType: 'image/jpeg', extension: 'jpg' },
	async make(job, file) {
		const request = {
			instruction: job.settings['text'] ?? '',
			isFine: job.settings['image_generator_version'] !== undefined,
			longEdge: longEdge(job.settings['resolution']),
		};
		return await editPicture(imageOf(job), request, file);
	},
};
