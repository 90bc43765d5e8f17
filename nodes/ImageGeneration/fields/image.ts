import { BadInput } from '../failures/failures';
import { isBlank } from '../values/text';
import { choice, text, type Fields } from './field';

export const FILE_FIELD = 'Input Data Field Name(s)';
export const ADDRESS_FIELD = 'Image URL';

/** The fields that select input images: files of the item, or addresses. */
export const imageFields = {
	inputType: choice({
		displayName: 'Image Source',
		values: {
			binary: {
				name: 'File From an Earlier Node',
				description:
					'A file from an earlier node, such as a form, an email, a download or a folder',
			},
			all: {
				name: 'All Images of the Item',
				description:
					'Every image that the item has. You pay for each of them; other files are skipped.',
			},
			url: {
				name: 'URL',
				description: 'A web address. The service downloads the image from there.',
			},
		},
		description: 'Where the image comes from',
		builderHint: {
			propertyHint:
				'Use binary for one known file field, all for forms, mails and other items with several files, and url for public links such as an earlier output_url.',
		},
	}),
	binaryPropertyName: text(readList, {
		displayName: FILE_FIELD,
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: "The name above the file in the input, under Binary. Several: separate them with commas. If the item has only one image, leave 'data'.",
		description:
			'Which file to use. An expression can return a file of any earlier node, such as {{ $("On form submission").item.binary.photo }}, an image in base64, or a list of these.',
		displayOptions: { show: { inputType: ['binary'] } },
	}),
	imageUrl: text(readList, {
		displayName: ADDRESS_FIELD,
		typeOptions: { rows: 2 },
		required: true,
		placeholder: 'e.g. https://example.com/photo.jpg',
		hint: 'One address, or several on lines of their own',
		description:
			'Address of the image, starting with http:// or https://. The service must be able to open it. An expression can also return an image in base64, or a list.',
		displayOptions: { show: { inputType: ['url'] } },
	}),
} satisfies Fields;

/** A value from an expression as it is. @throws BadInput for a list without entries, or with an empty one */
function readList(field: string, values: unknown): unknown {
	if (!Array.isArray(values)) return values;
	if (values.length === 0)
		throw new BadInput(`'${field}' is an empty list.`, 'Filter out items without an image first.');
	const empty = values.findIndex(isEmpty);
	if (empty < 0) return values;
	throw new BadInput(
		`Entry ${empty + 1} of the list in '${field}' is empty.`,
		'Remove empty entries in the expression.',
	);
}

function isEmpty(value: unknown): boolean {
	if (typeof value === 'string') return isBlank(value);
	return value === null || value === undefined;
}
