import { oneOf, promptText } from '../fields/check';
import { defineFields } from '../fields/defineFields';
import { numberOfImagesOption } from '../fields/options';
import { readResolution, readVersion, resolutionField, versionField } from '../fields/version';
import type { NameOf } from '../types';
import type { Operation, OperationInput } from './operation';
import { readSize, sizeFields } from './size';

const VERSIONS = ['standard', 'hd', 'genius', 'super_genius'] as const;
/** The styles of section 4.1, and '' for none. */
const STYLES = {
	'': 'None',
	anime: 'Anime',
	cinematic: 'Cinematic',
	graphic: 'Graphic',
	photography: 'Photography',
} as const;

const fields = defineFields([
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. A red bicycle leaning on a white wall, morning light',
		description: 'What the image should show',
	},
	versionField(VERSIONS),
	resolutionField,
	{
		displayName: 'Style',
		name: 'geniusPreference',
		type: 'options',
		options: Object.entries(STYLES).map(([value, name]) => ({ name, value })),
		default: '',
		description: 'The look to aim for',
		displayOptions: { show: { version: ['genius'] } },
	},
	...sizeFields,
]);

/** Creates an image from a text description (section 4.1). */
export const generate = {
	model: 'text2img',
	option: {
		name: 'Generate Image',
		value: 'generate',
		action: 'Generate image',
		description: 'Create an image from a text description',
	},
	fields,
	options: [
		{
			displayName: 'Negative Prompt',
			name: 'negativePrompt',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. text, watermark, blurry',
			description: 'What to keep out of the image. Can also improve quality and detail.',
		},
		numberOfImagesOption,
	],
	textParts({ read, options }: OperationInput<NameOf<typeof fields>>) {
		const version = readVersion(read, VERSIONS);
		const preference =
			version === 'genius' ? oneOf('Style', read('geniusPreference'), Object.keys(STYLES)) : '';
		// An expression on an empty table cell returns null.
		const negativePrompt = options.negativePrompt ?? '';
		return {
			text: promptText('Prompt', read('prompt')),
			...readSize(read),
			image_generator_version: version,
			...readResolution(read, version),
			...(preference && { genius_preference: preference }),
			...(negativePrompt !== '' && {
				negative_prompt: promptText('Negative Prompt', negativePrompt),
			}),
		};
	},
} satisfies Operation;
