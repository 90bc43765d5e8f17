import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

/** A file of an item, and the name of its field. */
export interface ItemFile {
	field: string;
	binary: IBinaryData;
}

/** The field for files in a workflow whose binaryMode is combined (n8n 2.40.3). */
const IN_JSON = '_files';

/** All files of an item, in the order that n8n shows them. */
export function itemFiles(context: IExecuteFunctions, itemIndex: number): ItemFile[] {
	const { json = {}, binary = {} } = context.getInputData()[itemIndex] ?? {};
	const { [IN_JSON]: named, ...fields } = json;
	return [
		...Object.entries(binary).map(([field, file]) => ({ field, binary: withTextName(file) })),
		...filesIn(named),
		...(isCombined(context) ? filesIn(fields) : []),
	];
}

/** Finds a file by its name, path or binary object. */
export function findFile(
	context: IExecuteFunctions,
	itemIndex: number,
	value: unknown,
): IBinaryData | undefined {
	try {
		// Not cast to text: an expression may return a binary object.
		return withTextName(context.helpers.assertBinaryData(itemIndex, value as string));
	} catch {
		// If binaryMode is combined, n8n expects a path such as `_files.data`; accept the name as well.
		// With binary data in memory, the files are not in the JSON even then (2.40.3).
		return itemFiles(context, itemIndex).find(({ field }) => field === value)?.binary;
	}
}

/** If binaryMode is combined, a form stores a file, or a list of them, under its label (2.40.3). */
function filesIn(fields: unknown): ItemFile[] {
	if (typeof fields !== 'object' || fields === null) return [];
	return Object.entries(fields).flatMap(([field, value]: [string, unknown]) => {
		if (!Array.isArray(value)) return isFile(value) ? [{ field, binary: withTextName(value) }] : [];
		return value
			.filter(isFile)
			.map((file, index) => ({ field: `${field}_${index}`, binary: withTextName(file) }));
	});
}

/** The check that n8n itself uses (2.40.3). */
function isFile(value: unknown): value is IBinaryData {
	if (typeof value !== 'object' || value === null) return false;
	return 'mimeType' in value && ('data' in value || 'id' in value);
}

function isCombined(context: IExecuteFunctions): boolean {
	// n8n 1.123.81 has neither binaryMode nor this function.
	const { getWorkflowSettings } = context as Partial<IExecuteFunctions>;
	return getWorkflowSettings?.call(context).binaryMode === 'combined';
}

/** A Code node may have set the file name to a number or null. */
function withTextName({ fileName, ...file }: IBinaryData): IBinaryData {
	const name: unknown = fileName;
	const isName = typeof name === 'string' || typeof name === 'number';
	return isName ? { ...file, fileName: String(name) } : file;
}
