import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

/** A file of an item, and the name by which the item has it. */
export interface ItemFile {
	field: string;
	binary: IBinaryData;
}

/** Where an item names its files in a workflow whose binaryMode is combined (n8n 2.40.3). */
const IN_JSON = '_files';

/** All files of an item, in the order in which n8n shows them. */
export function itemFiles(context: IExecuteFunctions, itemIndex: number): ItemFile[] {
	const { json = {}, binary = {} } = context.getInputData()[itemIndex] ?? {};
	const { [IN_JSON]: named, ...fields } = json;
	return [
		...Object.entries(binary).map(([field, file]) => ({ field, binary: withTextName(file) })),
		...filesIn(named),
		...(isCombined(context) ? filesIn(fields) : []),
	];
}

/** The file that a name, a path or a binary object stands for; undefined if there is none. */
export function findFile(
	context: IExecuteFunctions,
	itemIndex: number,
	value: unknown,
): IBinaryData | undefined {
	try {
		// The raw value, as it may be a binary object of an expression, or a path.
		return withTextName(context.helpers.assertBinaryData(itemIndex, value as string));
	} catch {
		// In a combined workflow n8n wants a path such as `_files.data`; the name alone will do. With
		// binary data in memory the files stay beside the JSON there (n8n 2.40.3).
		return itemFiles(context, itemIndex).find(({ field }) => field === value)?.binary;
	}
}

/** A form of a combined workflow leaves a file, or a list of files, under its label (n8n 2.40.3). */
function filesIn(fields: unknown): ItemFile[] {
	if (typeof fields !== 'object' || fields === null) return [];
	return Object.entries(fields).flatMap(([field, value]: [string, unknown]) => {
		if (!Array.isArray(value)) return isFile(value) ? [{ field, binary: withTextName(value) }] : [];
		return value
			.filter(isFile)
			.map((file, index) => ({ field: `${field}_${index}`, binary: withTextName(file) }));
	});
}

/** The sign by which n8n itself knows a file (2.40.3). */
function isFile(value: unknown): value is IBinaryData {
	if (typeof value !== 'object' || value === null) return false;
	return 'mimeType' in value && ('data' in value || 'id' in value);
}

function isCombined(context: IExecuteFunctions): boolean {
	// n8n 1.123.81 has neither the mode nor this function.
	const { getWorkflowSettings } = context as Partial<IExecuteFunctions>;
	return getWorkflowSettings?.call(context).binaryMode === 'combined';
}

/** A Code node may have given a number for a name, or null. */
function withTextName({ fileName, ...file }: IBinaryData): IBinaryData {
	const name: unknown = fileName;
	const isName = typeof name === 'string' || typeof name === 'number';
	return isName ? { ...file, fileName: String(name) } : file;
}
