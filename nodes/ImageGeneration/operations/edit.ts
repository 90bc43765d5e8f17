import { promptText } from '../fields/check';
import { defineFields } from '../fields/defineFields';
import { imageFields } from '../fields/image';
import { numberOfImagesOption } from '../fields/options';
import { readResolution, readVersion, resolutionField, versionField } from '../fields/version';
import type { NameOf } from '../types';
import type { Operation, OperationInput } from './operation';

const VERSIONS = ['standard', 'genius', 'super_genius'] as const;

const fields = defineFields([
	{
		displayName: 'Instruction',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. Make it black and white',
		description: 'What to change in the image',
	},
	...imageFields,
	versionField(VERSIONS),
	resolutionField,
]);

/** Edits a photo or image according to a text instruction (section 4.3). */
export const edit = {
	model: 'image-editor',
	option: {
		name: 'Edit Photo',
		value: 'edit',
		action: 'Edit photo',
		description: 'Edit an image with an instruction in plain language',
	},
	fields,
	options: [numberOfImagesOption],
	suffix: 'edited',
	textParts({ read }: OperationInput<NameOf<typeof fields>>) {
		const version = readVersion(read, VERSIONS);
		return {
			text: promptText('Instruction', read('prompt')),
			// Without a version the service uses the standard editor (section 4.3).
			...(version !== 'standard' && { image_generator_version: version }),
			...readResolution(read, version),
		};
	},
} satisfies Operation;
