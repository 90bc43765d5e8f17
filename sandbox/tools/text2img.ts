import { qualities, qualityOf } from '../catalog';
import { drawPicture } from '../pictures/picture';
import { describeAsXmp } from '../pictures/xmp';
import { longEdge, oneOf, resolution, side, text } from './parameters';
import type { ToolDefinition } from './tool';

/** AI Image Generator (specification 4.1). */
export const text2img: ToolDefinition = {
	id: 'text2img',
	summary: 'Creates an image from a text description',
	parameters: [
		text('text', true, 'What to generate.'),
		side('width'),
		side('height'),
		oneOf('image_generator_version', qualities, 'The quality.', {
			default: 'standard',
		}),
		resolution,
		oneOf('genius_preference', ['anime', 'photography', 'graphic', 'cinematic'], 'The style.', {
			usedFor: 'genius',
		}),
		text('negative_prompt', false, 'What to remove from the image.'),
	],
	pixels({ settings }) {
		const { width, height } = sizeOf(settings);
		return width * height;
	},
	output: { mimeType: 'image/jpeg', extension: 'jpg' },
	async make({ settings }, file) {
		const request = {
			prompt: settings['text'] ?? '',
			negative: settings['negative_prompt'] ?? '',
			version: qualityOf(settings),
			preference: settings['genius_preference'] ?? '',
			xmp: describeAsXmp('text2img', settings),
			...sizeOf(settings),
		};
		await drawPicture(request, file);
		return undefined;
	},
};

/** The requested size. super_genius enlarges it to its resolution and keeps the aspect ratio. */
function sizeOf(settings: Record<string, string>): { width: number; height: number } {
	const requested = { width: Number(settings['width']), height: Number(settings['height']) };
	const edge = longEdge(settings['resolution']);
	const scale = edge ? edge / Math.max(requested.width, requested.height) : 1;
	return {
		width: Math.round(requested.width * scale),
		height: Math.round(requested.height * scale),
	};
}
