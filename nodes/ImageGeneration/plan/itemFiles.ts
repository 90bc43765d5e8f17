import type { IExecuteFunctions } from 'n8n-workflow';

import { asRecord } from '../values/asRecord';
import { fileInObject, type ItemFile } from './fileObjects';
import type { Item } from './item';
import { withoutDataUrl } from './pastedImage';
import { mayBeDamaged } from './restoreBase64';

/** Files of an item, each with the name of its field. */
export type ItemFiles = ReadonlyArray<[field: string, binary: ItemFile]>;

/** All files of an item, in the order that n8n shows them. */
export function itemFiles({ context, itemIndex }: Item): ItemFiles {
	const { json, binary } = { ...context.getInputData()[itemIndex] };
	// n8n 1.123.81 has neither binaryMode nor this function.
	const { getWorkflowSettings } = context as Partial<IExecuteFunctions>;
	const isCombined = getWorkflowSettings?.call(context).binaryMode === 'combined';
	// In a workflow whose binaryMode is combined, `_files` has the files (n8n 2.41.1).
	const { _files: named, ...fields } = { ...json };
	const inJson = isCombined ? [...filesIn(named), ...filesIn(fields)] : dataIn(fields);
	const all = [...Object.entries({ ...binary }), ...inJson];
	return all.map(([field, file]) => [field, toBinary(file)]);
}

/** Finds one of an item's files by its name or path, or the file in an object. */
export function findFile({ context, itemIndex }: Item, files: ItemFiles, value: unknown) {
	const found = files.find(([field]) => field === value) ?? withoutData(files, value);
	if (found !== undefined) return found[1];
	const inObject = fileInObject(value);
	if (inObject !== undefined) return toBinary(inObject);
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
	const detailsOf = (file: unknown) =>
		JSON.stringify({ ...toBinary(file), data: '', textLength: undefined });
	const details = detailsOf(value);
	const [found, ...others] = files.filter(([, file]) => detailsOf(file) === details);
	return others.length === 0 ? found : undefined;
}

/** If binaryMode is combined, a form stores a file, or a list of them, under its label (2.41.1). */
function filesIn(fields: unknown): Array<[string, unknown]> {
	return Object.entries(asRecord(fields)).flatMap(([field, value]): Array<[string, unknown]> => {
		if (!Array.isArray(value)) return toFiles(value).map((file) => [field, file]);
		return value.flatMap(toFiles).map((file, index) => [`${field}_${index}`, file]);
	});
}

function toFiles(value: unknown): unknown[] {
	const inObject = fileInObject(value);
	if (inObject !== undefined) return [inObject];
	return isFile(value) ? [value] : [];
}

/** Files in other forms than n8n's own, which databases and models hand over. */
function dataIn(fields: unknown): Array<[string, unknown]> {
	return Object.entries(asRecord(fields)).flatMap(([field, value]): Array<[string, unknown]> => {
		const file = fileInObject(value);
		return file === undefined ? [] : [[field, file]];
	});
}

/** The check that n8n itself uses (2.40.3), on own properties. */
function isFile(value: unknown): boolean {
	const has = (name: string) => Object.hasOwn(asRecord(value), name);
	return has('mimeType') && (has('data') || has('id'));
}

/** Whether an expression returned a file, possibly without its data. */
export function isFileLike(value: unknown): boolean {
	return typeof asRecord(value).mimeType === 'string';
}

/** Corrects a file that a Code node may have broken: it may be empty, and its name a number. */
function toBinary(value: unknown): ItemFile {
	const { id, data, mimeType, fileName, ...file } = asRecord(value);
	const content = withoutDataUrl(typeof data === 'string' ? data : '');
	const claimed = content.mimeType ?? mimeType;
	const binary: ItemFile = {
		...file,
		data: content.data,
		mimeType: typeof claimed === 'string' ? claimed : '',
	};
	if (typeof id === 'string') binary.id = id;
	else if (typeof data === 'string' && mayBeDamaged(data)) binary.textLength = data.length;
	if (typeof fileName === 'string' || typeof fileName === 'number') {
		binary.fileName = String(fileName);
	}
	return binary;
}
