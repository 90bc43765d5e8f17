import { requiredText } from '../fields/check';
import { imageFields, readImage } from '../fields/image';
import { readResolution, readVersion, resolutionField, versionField } from '../fields/version';
import { imagePart } from './imagePart';
import type { Operation } from './operation';

const VERSIONS = ['standard', 'genius', 'super_genius'] as const;

/** Edits a photo or image according to a text instruction (section 4.3). */
export const edit = {
	option: {
		name: 'Edit Photo',
		value: 'edit',
		action: 'Edit photo',
		description: 'Change an image by an instruction in plain words',
	},
	fields: [
		...imageFields,
		{
			displayName: 'Instruction',
			name: 'prompt',
			type: 'string',
			typeOptions: { rows: 4 },
			required: true,
			default: '',
			placeholder: 'e.g. Make it black and white',
			description: 'What should be done to the image',
		},
		versionField(VERSIONS),
		resolutionField,
	],
	request({ read, binaryOf }) {
		const image = readImage(read, binaryOf);
		const version = readVersion(read, VERSIONS);
		return {
			model: 'image-editor',
			...imagePart(image, {
				text: requiredText('Instruction', read('prompt')),
				// The standard editor is the one that runs when no version is named (section 4.3).
				...(version !== 'standard' && { image_generator_version: version }),
				...readResolution(read, version),
			}),
			fileName: { from: image.name, suffix: 'edited' },
		};
	},
} satisfies Operation;
