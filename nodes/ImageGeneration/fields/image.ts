import type { IBinaryData, INodeProperties } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { quote } from '../failures/quote';
import type { ImageSource, ReadParameter } from '../types';
import { requiredText, oneOf } from './check';

/** The image to work on: a file of the item, or an address. */
export const imageFields: INodeProperties[] = [
	{
		displayName: 'Image Source',
		name: 'inputType',
		type: 'options',
		options: [
			{
				name: 'File From an Earlier Node',
				value: 'binary',
				description: 'An image that n8n already holds, from a form, a mail, a download or a folder',
			},
			{
				name: 'URL',
				value: 'url',
				description: 'The web address of an image, which the service fetches by itself',
			},
		],
		default: 'binary',
		description: 'Where the image comes from',
	},
	{
		displayName: 'Input Data Field Name',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the input field that holds the image file',
		description:
			'Where to find the file in the input. A file of an earlier node can be given by an expression, e.g. <code>{{ $("On form submission").item.binary.photo }}</code>.',
		displayOptions: { show: { inputType: ['binary'] } },
	},
	{
		displayName: 'Image URL',
		name: 'imageUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://example.com/photo.jpg',
		description:
			'The web address of the image, starting with http:// or https://. The service must be able to reach it. A data: address with base64 is sent as a file.',
		displayOptions: { show: { inputType: ['url'] } },
	},
];

/** An image given by the fields above: a file to send, or an address to send as text. */
export type GivenImage = { file: ImageSource; name: string } | { address: string; name: string };

/**
 * Reads the fields above for one item.
 * @param binaryOf Finds the binary that a field name, a path or a binary object stands for.
 * @throws BadInput when there is no such file, or the address is none that can be sent.
 */
export function readImage(
	read: ReadParameter,
	binaryOf: (value: unknown) => IBinaryData,
): GivenImage {
	if (oneOf('Image Source', read('inputType'), ['binary', 'url']) === 'url') {
		return addressedImage(requiredText('Image URL', read('imageUrl')).trim());
	}
	const binary = binaryOf(read('binaryPropertyName'));
	return { file: { kind: 'binary', binary }, name: binary.fileName ?? 'image' };
}

function addressedImage(address: string): GivenImage {
	if (/^data:/i.test(address)) return { file: imageInAddress(address), name: 'image' };
	// A URL parser also takes "http:/x", which services may not.
	if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
		throw new BadInput(
			`Image URL is ${quote(address)}. Allowed: a full address that starts with http:// or https://.`,
		);
	}
	return { address, name: decoded(new URL(address).pathname.split('/').pop() ?? '') };
}

function imageInAddress(address: string): ImageSource {
	const comma = address.indexOf(',');
	const [mimeType = '', ...parameters] = address.slice('data:'.length, comma).split(';');
	const base64 = address.slice(comma + 1).replace(/\s+/g, '');
	const isBase64 = parameters.at(-1)?.trim().toLowerCase() === 'base64';
	if (comma < 0 || !isBase64 || !/^[a-z0-9+/]+={0,2}$/i.test(base64)) {
		throw new BadInput(
			`Image URL is ${quote(address)}. A data: address must hold an image in base64.`,
		);
	}
	return { kind: 'dataUrl', mimeType, base64 };
}

function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		// A lone per cent sign is part of the name.
		return segment;
	}
}
