import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { asRecord } from '../failures/asRecord';
import { BadInput } from '../failures/failures';
import { listed, quote } from '../failures/text';
import { FILE_FIELD } from '../fields/image';
import type { JobPlace } from '../types';
import { isWebAddress } from './imageAddress';
import type { Item } from './item';
import { withoutDataUrl } from './pastedImage';

/** Files of an item, each with the name of its field. */
export type ItemFiles = ReadonlyArray<[field: string, binary: IBinaryData]>;

/** All files of an item, in the order that n8n shows them. */
export function itemFiles({ context, itemIndex }: Item): ItemFiles {
	const { json, binary } = { ...context.getInputData()[itemIndex] };
	// n8n 1.123.81 has neither binaryMode nor this function.
	const { getWorkflowSettings } = context as Partial<IExecuteFunctions>;
	const isCombined = getWorkflowSettings?.call(context).binaryMode === 'combined';
	// In a workflow whose binaryMode is combined, `_files` has the files (n8n 2.41.1).
	const { _files: named, ...fields } = { ...json };
	const inJson = isCombined ? [...filesIn(named), ...filesIn(fields)] : [];
	const all = [...Object.entries({ ...binary }), ...inJson];
	return all.map(([field, file]) => [field, toBinary(file)]);
}

/** Finds one of an item's files by its name, path or binary object. */
export function findFile({ context, itemIndex }: Item, files: ItemFiles, value: unknown) {
	const found = files.find(([field]) => field === value) ?? withoutData(files, value);
	if (found !== undefined) return found[1];
	try {
		// Not cast to text: an expression may return a binary object, and a path such as `_files.data`.
		const asserted: unknown = context.helpers.assertBinaryData(itemIndex, value as string);
		// n8n also finds what every object inherits, such as `constructor` (2.40.3, 1.123.81).
		return isFile(asserted) ? toBinary(asserted) : undefined;
	} catch {
		return undefined;
	}
}

/**
 * The item's only file that an expression with `$binary` returned. n8n leaves out the data there, so a file
 * in memory has neither data nor an id (2.40.3).
 */
function withoutData(files: ItemFiles, value: unknown) {
	if (isFile(value) || !isFileLike(value)) return undefined;
	const detailsOf = (file: unknown) => JSON.stringify({ ...toBinary(file), data: '' });
	const details = detailsOf(value);
	const [found, ...others] = files.filter(([, file]) => detailsOf(file) === details);
	return others.length === 0 ? found : undefined;
}

/** If binaryMode is combined, a form stores a file, or a list of them, under its label (2.41.1). */
function filesIn(fields: unknown): Array<[string, unknown]> {
	return Object.entries(asRecord(fields)).flatMap(([field, value]): Array<[string, unknown]> => {
		if (!Array.isArray(value)) return isFile(value) ? [[field, value]] : [];
		return value.filter(isFile).map((file, index) => [`${field}_${index}`, file]);
	});
}

/** The check that n8n itself uses (2.40.3), on own properties. */
function isFile(value: unknown): boolean {
	const has = (name: string) => Object.hasOwn(asRecord(value), name);
	return has('mimeType') && (has('data') || has('id'));
}

/** Whether an expression returned a file, possibly without its data. */
function isFileLike(value: unknown): boolean {
	return typeof asRecord(value).mimeType === 'string';
}

/** Corrects a file that a Code node may have broken: it may be empty, and its name a number. */
function toBinary(value: unknown): IBinaryData {
	const { id, data, mimeType, fileName, ...file } = asRecord(value);
	const content = withoutDataUrl(typeof data === 'string' ? data : '');
	const claimed = content.mimeType ?? mimeType;
	const binary: IBinaryData = {
		...file,
		data: content.data,
		mimeType: typeof claimed === 'string' ? claimed : '',
	};
	if (typeof id === 'string') binary.id = id;
	if (typeof fileName === 'string' || typeof fileName === 'number') {
		binary.fileName = String(fileName);
	}
	return binary;
}

const FIELD = `'${FILE_FIELD}'`;
const ALL = "set 'Image Source' to 'All Images of the Item'";

/** The item has no file with the requested name, or what an expression returned is none. */
export function noSuchFile({ isTool }: Item, files: ItemFiles, value: unknown): BadInput {
	if (typeof value !== 'string') return notFile(value);
	if (isWebAddress(value)) {
		return new BadInput(
			`${FIELD} is ${quote(value)}, which is an address.`,
			"Set 'Image Source' to 'URL', and enter the address in 'Image URL'.",
		);
	}
	return new BadInput(
		`${FIELD} is ${quote(value)}, but this item has no such file.`,
		whereFilesAre(files, isTool),
	);
}

function notFile(value: unknown): BadInput {
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

function whereFilesAre(files: ItemFiles, isTool: boolean): string {
	if (files.length === 0) return `The item has no files at all. ${howToAddFile(isTool)}`;
	const fields = listed(files.map(([field]) => `'${field}'`));
	if (files.length === 1) return `Set ${FIELD} to ${fields}.`;
	return `The item has files in ${fields}. Set ${FIELD} to one of these names, or ${ALL}.`;
}

/** The field's name was left at its default, and the item has several images under other names. */
export function severalImages(images: ReadonlyArray<Pick<JobPlace, 'source'>>): BadInput {
	return new BadInput(
		`This item has ${images.length} images.`,
		`They are in ${listed(images.map(({ source = '' }) => `'${source}'`))}. Choose one in ${FIELD}, or ${ALL}.`,
	);
}

/** Image Source is All Images of the Item, and the item has no image. */
export function noImageAtAll({ isTool }: Item, files: ItemFiles): BadInput {
	if (files.length === 0) return new BadInput('This item has no files.', howToAddFile(isTool));
	const found = files.map(([field, binary]) => `${binary.fileName ?? 'a file'} (in '${field}')`);
	return new BadInput(
		"None of this item's files is an image.",
		`It has ${listed(found)}. Connect a node that outputs a JPG, PNG or WebP file.`,
	);
}

function howToAddFile(isTool: boolean): string {
	return isTool
		? `A tool gets only the files that reach its agent: use an image URL, or an expression in ${FIELD} that returns a file from an earlier node.`
		: 'Connect a node that outputs a file.';
}
