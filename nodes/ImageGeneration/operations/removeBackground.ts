import { imageFields } from '../fields/image';
import type { Operation } from './operation';

/** Removes the background of an image (section 4.2). */
export const removeBackground = {
	model: 'background-remover',
	option: {
		name: 'Remove Background',
		value: 'removeBackground',
		action: 'Remove background',
		description: "Make an image's background transparent",
	},
	fields: imageFields,
	suffix: 'no-background',
	textParts: () => ({}),
} satisfies Operation;
