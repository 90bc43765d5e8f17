import { BadInput } from '../failures/failures';
import { FILE_FIELD } from '../fields/image';
import type { JobPlace } from '../types';
import { asRecord } from '../values/asRecord';
import { listed, quote } from '../values/text';
import type { Item } from './item';
import { isFileLike, isStored, type ItemFiles } from './itemFiles';

const FIELD = `'${FILE_FIELD}'`;
const ALL = "set 'Image Source' to 'All Images of the Item'";

/**
 * The item has no file with the requested name, or what an expression returned is none.
 * @param images Fields of those files that are images.
 * @param isChosen Whether somebody chose the name, instead of leaving it at its default.
 */
export function noSuchFile(
	item: Item,
	files: ItemFiles,
	images: readonly string[],
	value: unknown,
	isChosen: boolean,
): BadInput {
	if (typeof value !== 'string') return notFile(value);
	const [, address] = /^[\s"'<]*(https?:\/\/[^\s"'>]+)/i.exec(value) ?? [];
	if (address !== undefined) {
		return new BadInput(
			`${FIELD} is ${quote(address)}, which is an address.`,
			"Set 'Image Source' to 'URL', and enter the address in 'Image URL'.",
		);
	}
	if (!isChosen && images.length === 0) return noImageAtAll(item, files);
	return new BadInput(
		`${FIELD} is ${quote(value)}, but this item has no such file.`,
		whereImagesAre(item, files, images),
	);
}

function notFile(value: unknown): BadInput {
	if (isStored(value)) {
		return new BadInput(
			`${FIELD} is ${quote(value)}, which names a file in n8n's storage, but no node in the expression outputs it.`,
			'Use the file itself, as in {{ $binary.data }} or {{ $("On form submission").item.binary.photo }}.',
		);
	}
	const [field] = Object.entries(asRecord(value)).find(([, file]) => isFileLike(file)) ?? [];
	if (field === undefined) {
		return new BadInput(
			`${FIELD} must be a field name or a file, but is ${quote(value)}.`,
			'Use a field name, a file from an earlier node, or a list of these.',
		);
	}
	const property = /^[a-z_$][\w$]*$/i.test(field) ? `.${field}` : `["${field}"]`;
	return new BadInput(
		`${FIELD} must be one file, but the expression returns all files of an item.`,
		`Add the name of one, such as {{ $binary${property} }}, or ${ALL}.`,
	);
}

function whereImagesAre(item: Item, files: ItemFiles, images: readonly string[]): string {
	if (images.length === 0) {
		const { message, advice } = noImage(item, files);
		return `${message} ${advice}`;
	}
	const fields = listed(images.map((field) => `'${field}'`));
	if (images.length === 1) return `Set ${FIELD} to ${fields}.`;
	return `The item has images in ${fields}. Set ${FIELD} to one of these names, or ${ALL}.`;
}

/** The field's name was left at its default, and the item has several images under other names. */
export function severalImages(images: ReadonlyArray<Pick<JobPlace, 'source'>>): BadInput {
	return new BadInput(
		`This item has ${images.length} images.`,
		`They are in ${listed(images.map(({ source = '' }) => `'${source}'`))}. Choose one in ${FIELD}, or ${ALL}.`,
	);
}

/** The item has no image, whatever the name of its field. */
export function noImageAtAll(item: Item, files: ItemFiles): BadInput {
	const { message, advice } = noImage(item, files);
	return new BadInput(message, advice);
}

function noImage({ context, itemIndex, isTool }: Item, files: ItemFiles) {
	const json = asRecord(context.getInputData()[itemIndex]?.json);
	const isForm = 'submittedAt' in json && 'formMode' in json;
	if (files.length > 0) {
		return {
			message: "None of this item's files is an image.",
			advice: `It has ${listed(files.map(inWords))}. ${isForm ? IMAGES_ONLY : OUTPUT_IMAGE}`,
		};
	}
	if (isForm) return { message: 'The visitor of the form sent no file.', advice: REQUIRED };
	return {
		message: 'This item has no files.',
		advice: isTool ? FILES_OF_TOOL : 'Connect a node that outputs a file.',
	};
}

const OUTPUT_IMAGE = 'Connect a node that outputs a JPG, PNG or WebP file.';
const IMAGES_ONLY = "Set 'Accepted File Types' of the form's field to .jpg, .png, .webp.";
const REQUIRED =
	"Make the form's file field required, or filter out items without a file before this node.";
const FILES_OF_TOOL = `A tool gets only the files that reach its agent: use an image URL, or an expression in ${FIELD} that returns a file from an earlier node.`;

/** A file with its name, its type and its field. */
function inWords([field, { fileName = 'a file', mimeType }]: ItemFiles[number]): string {
	return `${fileName} (${mimeType === '' ? '' : `${mimeType}, `}in '${field}')`;
}
