import { qualities, qualityOf } from '../catalog';
import { drawPicture } from '../pictures/picture';
import { longEdge, oneOf, resolution, side, text } from './parameters';
import type { ToolDefinition } from './tool';

const preferences = ['anime', 'photography', 'graphic', 'cinematic'];

/** AI Image Generator (specification 4.1). */
export const text2img: ToolDefinition = {
	id: 'text2img',
	parameters: [
		text('text', true),
		side('width'),
		side('height'),
		oneOf('image_generator_version', qualities, { default: 'standard' }),
		resolution,
		oneOf('genius_preference', preferences, { usedFor: 'genius' }),
		text('negative_prompt', false),
	],
	output: { mimeType: 'image/jpeg', extension: 'jpg' },
	async make({ settings }, file) {
		const request = {
			prompt: settings['text'] ?? '',
			negative: settings['negative_prompt'] ?? '',
			version: qualityOf(settings),
			preference: settings['genius_preference'] ?? '',
			...sizeOf(settings),
		};
		await drawPicture(request, file);
		return undefined;
	},
};

/** The requested size. super_genius enlarges it to its resolution and keeps the aspect ratio. */
function sizeOf(settings: Record<string, string>): { width: number; height: number } {
	const width = Number(settings['width']);
	const height = Number(settings['height']);
	const edge = longEdge(settings['resolution']);
	const scale = edge ? edge / Math.max(width, height) : 1;
	return {
		width: Math.round(width * scale),
		height: Math.round(height * scale),
	};
}
