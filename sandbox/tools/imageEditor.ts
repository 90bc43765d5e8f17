import type { Quality } from '../catalog';
import { pixelsOf } from '../pictures/decode';
import { editPicture } from '../pictures/edit';
import { describeAsXmp } from '../pictures/xmp';
import { image, longEdge, oneOf, resolution, text } from './parameters';
import { imageOf, type ToolDefinition } from './tool';

/** Those that a call can name; it leaves the standard one out. */
const editorQualities = ['genius', 'super_genius'] as const satisfies readonly Quality[];

/** AI Photo Editor (specification 4.3). */
export const imageEditor: ToolDefinition = {
	id: 'image-editor',
	summary: 'Edits an image according to a text instruction',
	parameters: [
		image,
		text('text', true, 'The edit instruction.'),
		oneOf('image_generator_version', editorQualities, 'The quality.', {
			hint: '; leave it out for the standard editor',
		}),
		resolution,
	],
	async pixels(job) {
		const edge = longEdge(job.settings['resolution']) ?? 0;
		return Math.max(await pixelsOf(imageOf(job)), edge ** 2);
	},
	output: { mimeType: 'image/jpeg', extension: 'jpg' },
	async make(job, file) {
		const request = {
			instruction: job.settings['text'] ?? '',
			fine: job.settings['image_generator_version'] !== undefined,
			longEdge: longEdge(job.settings['resolution']),
			xmp: describeAsXmp('image-editor', job.settings),
		};
		return await editPicture(imageOf(job), request, file);
	},
};
