import { imageFields, readImage } from '../fields/image';
import { imagePart } from './imagePart';
import type { Operation } from './operation';

/** Removes the background of an image (section 4.2). */
export const removeBackground = {
	option: {
		name: 'Remove Background',
		value: 'removeBackground',
		action: 'Remove background',
		description: 'Cut out what an image shows, with a transparent background',
	},
	fields: imageFields,
	request({ read, binaryOf }) {
		const image = readImage(read, binaryOf);
		return {
			model: 'background-remover',
			...imagePart(image, {}),
			fileName: { from: image.name, suffix: 'no-background' },
		};
	},
} satisfies Operation;
