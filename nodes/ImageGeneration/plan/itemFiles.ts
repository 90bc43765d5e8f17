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
	const { json, binary }: Record<string, unknown> = { ...context.getInputData()[itemIndex] };
	const { [IN_JSON]: named, ...fields } = { ...Object(json) } as Record<string, unknown>;
	return [
		...fieldsOf(binary).map(([field, file]) => ({ field, binary: toBinary(file) })),
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
	const named = itemFiles(context, itemIndex).find(({ field }) => field === value)?.binary;
	if (named !== undefined) return named;
	try {
		// Not cast to text: an expression may return a binary object, and a path such as `_files.data`.
		const found: unknown = context.helpers.assertBinaryData(itemIndex, value as string);
		// n8n also finds what every object inherits, such as `constructor` (2.40.3, 1.123.81).
		return isFile(found) ? toBinary(found) : undefined;
	} catch {
		return undefined;
	}
}

/** If binaryMode is combined, a form stores a file, or a list of them, under its label (2.40.3). */
function filesIn(fields: unknown): ItemFile[] {
	return fieldsOf(fields).flatMap(([field, value]) => {
		if (!Array.isArray(value)) return isFile(value) ? [{ field, binary: toBinary(value) }] : [];
		return value
			.filter(isFile)
			.map((file, index) => ({ field: `${field}_${index}`, binary: toBinary(file) }));
	});
}

function fieldsOf(value: unknown): Array<[string, unknown]> {
	return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** The check that n8n itself uses (2.40.3), on own properties. */
function isFile(value: unknown): boolean {
	const has = (name: string) => Object.hasOwn(Object(value) as object, name);
	return has('mimeType') && (has('data') || has('id'));
}

function isCombined(context: IExecuteFunctions): boolean {
	// n8n 1.123.81 has neither binaryMode nor this function.
	const { getWorkflowSettings } = context as Partial<IExecuteFunctions>;
	return getWorkflowSettings?.call(context).binaryMode === 'combined';
}

/**
 * Corrects a file that a Code node may have broken: without a valid id and data it is empty, and its
 * name may be a number.
 */
function toBinary(value: unknown): IBinaryData {
	const { id, data, mimeType, fileName, ...file } = { ...Object(value) } as Record<string, unknown>;
	const isName = typeof fileName === 'string' || typeof fileName === 'number';
	return {
		...file,
		data: typeof data === 'string' ? data : '',
		mimeType: typeof mimeType === 'string' ? mimeType : '',
		...(typeof id === 'string' && { id }),
		...(isName && { fileName: String(fileName) }),
	};
}
