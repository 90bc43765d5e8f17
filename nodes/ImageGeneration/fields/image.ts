import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';
import { choice, type Fields, type ReadField } from './field';
import { addressesIn } from './imageAddress';
import { requiredText } from './readValue';

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
	binaryPropertyName: {
		property: {
			displayName: 'Input Data Field Name(s)',
			type: 'string',
			required: true,
			default: 'data',
			placeholder: 'e.g. data',
			hint: "The name of the field with the image, or several names separated by commas. If you leave 'data' and the item has only one image, that image is used.",
			description:
				'Which file of the input to use. An expression can also take a file from any earlier node, such as {{ $("On form submission").item.binary.photo }}, or a list of files.',
			displayOptions: { show: { inputType: ['binary'] } },
		},
		read: (value) => value,
	},
	imageUrl: {
		property: {
			displayName: 'Image URL',
			type: 'string',
			typeOptions: { rows: 2 },
			required: true,
			default: '',
			placeholder: 'e.g. https://example.com/photo.jpg',
			hint: 'One address per line',
			description:
				'Which image to use: its address, starting with http:// or https://. The service must be able to open it. You can also enter a data: address with base64, or a list with an expression.',
			displayOptions: { show: { inputType: ['url'] } },
		},
		read: readAddresses,
	},
} satisfies Fields;

/** The images that the fields select, before any file is read. */
export type ImageChoice =
	| { from: 'all' }
	/** Names, paths and binary objects. */
	| { from: 'files'; files: unknown[]; isList: boolean }
	| { from: 'addresses'; addresses: string[]; isList: boolean };

/**
 * Reads the image fields of one item.
 * @param hasField Whether the item has a file in the field of this name.
 * @throws BadInput if they select nothing.
 */
export function readImageChoice(
	read: ReadField<typeof imageFields>,
	hasField: (name: string) => boolean,
): ImageChoice {
	const source = read('inputType');
	if (source === 'all') return { from: 'all' };
	if (source === 'url') return { from: 'addresses', ...read('imageUrl') };
	return { from: 'files', ...readFiles(read('binaryPropertyName'), hasField) };
}

function readFiles(
	value: unknown,
	hasField: (name: string) => boolean,
): { files: unknown[]; isList: boolean } {
	const field = 'Input Data Field Name(s)';
	if (Array.isArray(value)) return { files: checkedList(field, value), isList: true };
	if (typeof value !== 'string') return { files: [value], isList: false };
	// A name may contain a comma or spaces at its ends, if there is such a file.
	const isUnusual = value.includes(',') || value !== value.trim();
	if (isUnusual && hasField(value)) return { files: [value], isList: false };
	const names = requiredText(field, value)
		.split(',')
		.map((name) => name.trim());
	if (names.includes('')) {
		throw new BadInput(
			`'${field}' is ${quote(value)}, which contains an empty name.`,
			'Separate the names with single commas.',
		);
	}
	return { files: [...new Set(names)], isList: names.length > 1 };
}

function readAddresses(value: unknown): { addresses: string[]; isList: boolean } {
	const field = 'Image URL';
	if (!Array.isArray(value)) {
		const addresses = [...new Set(addressesIn(requiredText(field, value)))];
		return { addresses, isList: addresses.length > 1 };
	}
	const addresses = checkedList(field, value).map((entry) => {
		if (typeof entry === 'string') return entry.trim();
		throw new BadInput(
			`'${field}' contains ${quote(entry)}, which is not text.`,
			"List only addresses. For files, set 'Image Source' to 'File From an Earlier Node'.",
		);
	});
	return { addresses: [...new Set(addresses)], isList: true };
}

function checkedList(field: string, values: readonly unknown[]): unknown[] {
	if (values.length === 0)
		throw new BadInput(`'${field}' is an empty list.`, 'Filter out items without an image first.');
	const empty = values.findIndex((value) => value === null || value === undefined || value === '');
	if (empty < 0) return [...new Set(values)];
	throw new BadInput(
		`Entry ${empty + 1} of the list in '${field}' is empty.`,
		'Remove empty entries in the expression.',
	);
}
