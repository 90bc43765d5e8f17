import { imageFields } from '../fields/image';
import { defineOperation } from './operation';

/** Removes the background of an image (section 4.2). */
export const removeBackground = defineOperation({
	model: 'background-remover',
	name: 'Remove Background',
	action: 'Remove background',
	description: "Make an image's background transparent",
	image: { suffix: 'no-background' },
	fields: imageFields,
	options: {},
	textParts: () => ({}),
});
