import { BadInput } from '../failures/failures';
import { FILE_FIELD } from '../fields/image';
import { SMALLEST_IMAGE } from '../images/imageType';
import { listed, quote } from '../values/text';
import { beginsLikeWebAddress } from '../values/webAddress';
import type { Item } from './item';
import type { ItemFiles } from './itemFiles';
import type { ImageField } from './readers';

const FIELD = `'${FILE_FIELD}'`;

/**
 * The item has no file with the requested name, or what an expression returned is none.
 * @param images The fields of the item's images.
 */
export function noSuchFile(item: ImageField, value: unknown, images: readonly string[]): BadInput {
	if (typeof value !== 'string') {
		return new BadInput(
			`${FIELD} must be a field name or a file, but is ${quote(value)}.`,
			'Use a field name, or a file of an earlier node, such as {{ $binary.data }} or {{ $("On form submission").item.binary.photo }}.',
		);
	}
	if (beginsLikeWebAddress(value)) {
		return new BadInput(
			`${FIELD} is ${quote(value)}, which is an address.`,
			"Set 'Image Source' to 'URL', and enter the address in 'Image URL'.",
		);
	}
	if (images.length === 0) return noImage(item, item.files);
	const fields = listed(images.map((field) => `'${field}'`));
	return new BadInput(
		`${FIELD} is ${quote(value)}, but this item has no such file.`,
		images.length === 1
			? `Set ${FIELD} to ${fields}.`
			: `The item has images in ${fields}. Set ${FIELD} to one of these names, or set 'Image Source' to 'All Images of the Item'.`,
	);
}

/** The item has no image, whatever the name of its field. */
export function noImage({ isTool }: Item, files: ItemFiles): BadInput {
	if (files.length > 0) {
		return new BadInput(
			"None of this item's files is an image.",
			`It has ${listed(files.map(inWords))}. Connect a node that outputs a JPG, PNG or WebP file of at least ${SMALLEST_IMAGE} bytes.`,
		);
	}
	return new BadInput(
		'This item has no files.',
		isTool
			? `A tool gets only the files that reach its agent: use an image URL, or an expression in ${FIELD} that returns a file from an earlier node.`
			: 'Connect a node that outputs a file, or filter out items without a file before this node.',
	);
}

/** A file with its name, its type and its field. */
function inWords([field, { fileName = 'a file', mimeType }]: ItemFiles[number]): string {
	return `${fileName} (${mimeType === '' ? '' : `${mimeType}, `}in '${field}')`;
}
