import { choice, optional, prompt } from '../fields/field';
import { numberOfImages } from '../fields/options';
import { qualityField, resolution } from '../fields/quality';
import { defineOperation } from './operation';
import { sizeFields, toPixels } from './size';

/** Creates an image from a text description (section 4.1). */
export const generate = defineOperation({
	model: 'text2img',
	name: 'Generate Image',
	action: 'Generate image',
	description: 'Create an image from a text description',
	fields: {
		prompt: prompt({
			displayName: 'Prompt',
			required: true,
			placeholder: 'e.g. A red bicycle leaning on a white wall, morning light',
			description: 'What the image should show',
		}),
		version: qualityField(),
		geniusPreference: choice({
			displayName: 'Style',
			values: {
				'': { name: 'None' },
				anime: { name: 'Anime' },
				cinematic: { name: 'Cinematic' },
				graphic: { name: 'Graphic' },
				photography: { name: 'Photography' },
			},
			description: 'The look of the image',
			displayOptions: { show: { version: ['genius'] } },
		}),
		...sizeFields,
		resolution,
	},
	options: {
		negativePrompt: optional(
			prompt({
				displayName: 'Negative Prompt',
				typeOptions: { rows: 2 },
				placeholder: 'e.g. text, watermark, blurry',
				description: 'What the image should not show. Can also improve quality and detail.',
			}),
		),
		numberOfImages,
	},
	textParts: (fields, options) => ({
		text: fields.prompt,
		...toPixels(fields, fields.version),
		image_generator_version: fields.version,
		resolution: fields.resolution,
		genius_preference: fields.geniusPreference,
		negative_prompt: options.negativePrompt,
	}),
});
