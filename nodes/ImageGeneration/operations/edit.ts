import { prompt } from '../fields/field';
import { imageFields } from '../fields/image';
import { numberOfImages } from '../fields/options';
import { qualityField, resolution } from '../fields/quality';
import { defineOperation } from './operation';

/** Edits a photo or image according to a text instruction (section 4.3). */
export const edit = defineOperation({
	model: 'image-editor',
	name: 'Edit Photo',
	action: 'Edit photo',
	description: 'Edit an image with an instruction in plain language',
	image: { suffix: 'edited' },
	fields: {
		prompt: prompt({
			displayName: 'Instruction',
			required: true,
			placeholder: 'e.g. Make it black and white',
			description: 'What to change in the image',
		}),
		...imageFields,
		version: qualityField({ without: ['hd'] }),
		resolution,
	},
	options: { numberOfImages },
	textParts: ({ prompt: text, version, resolution }) => ({
		text,
		// Without a version the service uses the standard editor (section 4.3).
		image_generator_version: version === 'standard' ? '' : version,
		resolution,
	}),
});
