import type { IBinaryData } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { quote } from '../failures/quote';
import type { Fields, ReadField } from './field';
import { choice } from './kinds';
import { notAllowed, requiredText } from './readValue';

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
					'Every image file of the item, with one paid request each. Other files are skipped at no cost.',
			},
			url: {
				name: 'URL',
				description: 'A web address from which the service downloads the image',
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
			hint: "The name of the input field containing the image file, or several names separated by commas. If you leave it at 'data' and the item has only one image, that image is used.",
			description:
				'Where to find the file in the input. An expression can also return a file from an earlier node, such as {{ $("On form submission").item.binary.photo }}, or a list.',
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
				'Address of the image, starting with http:// or https://. The service must be able to reach it. A base64 data: address is sent as a file. An expression can also return a list.',
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
		const addresses = [...new Set(linesOf(requiredText(field, value)))];
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

/** Base64 may be wrapped, so a line without a scheme continues the `data:` address before it. */
function linesOf(text: string): string[] {
	const lines: string[] = [];
	for (const line of text.split(/[\r\n]+/).map((part) => part.trim())) {
		const last = lines.at(-1);
		const continues = last !== undefined && isDataUrl(last) && !/^(https?|data):/i.test(line);
		if (continues) lines[lines.length - 1] = last + line;
		else if (line !== '') lines.push(line);
	}
	return lines;
}

/** The name of the image behind an address. */
interface AddressedImage {
	name: string;
	/** The image itself, if it is a `data:` address. */
	file?: IBinaryData;
}

/** @throws BadInput unless it is a web address or a valid `data:` address. */
export function readAddress(address: string): AddressedImage {
	if (isDataUrl(address)) return { file: fileInDataUrl(address), name: 'image' };
	// URL parsers also accept "http:/x", which a service may reject.
	if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
		throw notAllowed(
			"'Image URL'",
			address,
			'a full address starting with http:// or https://',
			"Enter the full address. For a file, set 'Image Source' to 'File From an Earlier Node'.",
		);
	}
	return { name: decodeSegment(new URL(address).pathname.split('/').pop() ?? '') };
}

function isDataUrl(address: string): boolean {
	return /^data:/i.test(address);
}

function fileInDataUrl(address: string): IBinaryData {
	const comma = address.indexOf(',');
	const [mimeType = '', ...parameters] = address.slice('data:'.length, comma).split(';');
	const base64 = address.slice(comma + 1).replace(/\s+/g, '');
	const isBase64 = parameters.at(-1)?.trim().toLowerCase() === 'base64';
	if (comma < 0 || !isBase64 || !/^[a-z0-9+/]+={0,2}$/i.test(base64)) {
		throw new BadInput(
			`'Image URL' is ${quote(address)}. A data: address must contain an image in base64.`,
			'Begin it with data:image/png;base64, followed by the image in base64.',
		);
	}
	return { mimeType, data: base64 };
}

function decodeSegment(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		// The name contains a literal percent sign.
		return segment;
	}
}
