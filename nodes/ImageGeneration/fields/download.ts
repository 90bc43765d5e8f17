import { BadInput } from '../failures/failures';
import { boolean, NOT_ON_TOOL, type Fields } from './field';
import { requiredText } from './readValue';

/** Whether the output contains the image. */
export const downloadField = {
	download: boolean({
		displayName: 'Download Image',
		default: true,
		description:
			'Whether to output the image as a file. If off, the output contains only its link.',
		displayOptions: { show: NOT_ON_TOOL },
	}),
} satisfies Fields;

const NAME = 'Put Output File in Field';

/** Where the image goes. */
export const downloadOptions = {
	outputPropertyName: {
		property: {
			displayName: NAME,
			type: 'string',
			default: 'data',
			placeholder: 'e.g. data',
			hint: 'The name of the output field to put the image file in',
			description: 'Where the next node finds the image (default data)',
			displayOptions: { show: { ...NOT_ON_TOOL, '/download': [true] } },
		},
		read: readOutputField,
	},
} satisfies Fields;

function readOutputField(value: unknown): string {
	const name = requiredText(NAME, value).trim();
	// Assigning to it would set the object's prototype and lose the image.
	if (name === '__proto__')
		throw new BadInput(
			`'${NAME}' is "__proto__", which JavaScript reserves.`,
			'Choose another name.',
		);
	return name;
}
