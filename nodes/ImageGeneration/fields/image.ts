import type { IBinaryData } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';
import { choice, text, type Fields } from './field';
import { notAllowed, requiredText } from './readValue';

export const FILE_FIELD = 'Input Data Field Name(s)';
const ADDRESS_FIELD = 'Image URL';

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
		hint: "The name of the field with the image, or several names separated by commas. If you leave 'data' and the item has only one image, that image is used.",
		description:
			'Which file of the input to use. An expression can also take a file from any earlier node, such as {{ $("On form submission").item.binary.photo }}, or a list of files.',
		displayOptions: { show: { inputType: ['binary'] } },
	}),
	imageUrl: text(readAddresses, {
		displayName: ADDRESS_FIELD,
		typeOptions: { rows: 2 },
		required: true,
		placeholder: 'e.g. https://example.com/photo.jpg',
		hint: 'One address per line',
		description:
			'Which image to use: its address, starting with http:// or https://. The service must be able to open it. You can also enter a data: address with base64, or a list with an expression.',
		displayOptions: { show: { inputType: ['url'] } },
	}),
} satisfies Fields;

/** @returns one address, or a list of them. */
function readAddresses(field: string, value: unknown): string | string[] {
	const list = readList(field, value);
	if (!Array.isArray(list)) {
		const addresses = [...new Set(addressesIn(requiredText(field, value)))];
		return addresses.length > 1 ? addresses : addresses.join();
	}
	const addresses = list.map((entry: unknown) => {
		if (typeof entry === 'string') return entry.trim();
		throw new BadInput(
			`'${field}' contains ${quote(entry)}, which is not text.`,
			"List only addresses. For files, set 'Image Source' to 'File From an Earlier Node'.",
		);
	});
	return [...new Set(addresses)];
}

/** The different entries of a list from an expression, or any other value as it is. */
function readList(field: string, values: unknown): unknown {
	if (!Array.isArray(values)) return values;
	if (values.length === 0)
		throw new BadInput(`'${field}' is an empty list.`, 'Filter out items without an image first.');
	const empty = values.findIndex((value) => value === null || value === undefined || value === '');
	if (empty < 0) return [...new Set(values)];
	throw new BadInput(
		`Entry ${empty + 1} of the list in '${field}' is empty.`,
		'Remove empty entries in the expression.',
	);
}

/**
 * The addresses in text with one per line. Base64 may be wrapped, so a line without a scheme continues
 * the `data:` address before it.
 */
function addressesIn(text: string): string[] {
	const lines: string[] = [];
	for (const line of text.split(/[\r\n]+/).map((part) => part.trim())) {
		const last = lines.at(-1);
		const continues = last !== undefined && isDataUrl(last) && !/^(https?|data):/i.test(line);
		if (continues) lines[lines.length - 1] = last + line;
		else if (line !== '') lines.push(line);
	}
	return lines;
}

function isDataUrl(address: string): boolean {
	return /^data:/i.test(address);
}

/**
 * Checks an address.
 * @returns the image's name, and the image itself if it is a `data:` address.
 * @throws BadInput unless it is a web address or a valid `data:` address.
 */
export function readAddress(address: string): { name: string; file?: IBinaryData } {
	if (isDataUrl(address)) return { name: 'image', file: fileInDataUrl(address) };
	// URL parsers also accept "http:/x", which a service may reject.
	if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
		throw notAllowed(
			`'${ADDRESS_FIELD}'`,
			address,
			'a full address starting with http:// or https://',
			"Enter the full address. For a file, set 'Image Source' to 'File From an Earlier Node'.",
		);
	}
	const name = new URL(address).pathname.split('/').pop() ?? '';
	try {
		return { name: decodeURIComponent(name) };
	} catch {
		// The name contains a literal percent sign.
		return { name };
	}
}

/** An address with base64. Other parameters may stand before it. */
const BASE64 = /^data:([^;,]*)(?:;[^,]*)?;base64,([a-z0-9+/]+={0,2})$/i;

function fileInDataUrl(address: string): IBinaryData {
	const [, mimeType = '', data] = BASE64.exec(address.replace(/\s+/g, '')) ?? [];
	if (data !== undefined) return { mimeType, data };
	throw new BadInput(
		`'${ADDRESS_FIELD}' is ${quote(address)}. A data: address must contain an image in base64.`,
		'Begin it with data:image/png;base64, followed by the image in base64.',
	);
}
