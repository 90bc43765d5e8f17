import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { endSentence } from '../failures/endSentence';
import { BadInput } from '../failures/failures';

/** Where an item has its files in a workflow whose binaryMode is combined (n8n 2.40.3). */
const IN_JSON = '_files';

/**
 * The file that a field name, a path or a binary object stands for.
 * @throws BadInput when the item has no such file.
 */
export function itemFile(context: IExecuteFunctions, index: number, value: unknown): IBinaryData {
	const { fileName, ...file } = given(context, index, value);
	// A Code node may have given a number, or null.
	const name: unknown = fileName;
	const isName = typeof name === 'string' || typeof name === 'number';
	return isName ? { ...file, fileName: String(name) } : file;
}

function given(context: IExecuteFunctions, index: number, value: unknown): IBinaryData {
	try {
		// The raw value, as it may be a binary object of an expression, or a path.
		return context.helpers.assertBinaryData(index, value as string);
	} catch (error) {
		const found = typeof value === 'string' ? byName(context, index, value) : undefined;
		if (found !== undefined) return found;
		const failure = noSuchFile(context, index, error);
		throw failure;
	}
}

/** Where binaryMode is combined, n8n wants a path such as `_files.data`; the name alone will do. */
function byName(context: IExecuteFunctions, index: number, name: string): IBinaryData | undefined {
	try {
		return context.helpers.assertBinaryData(index, `${IN_JSON}.${name}`);
	} catch {
		// With binary data in memory the files stay beside the JSON (n8n 2.40.3).
		const beside = Object.entries(context.getInputData()[index]?.binary ?? {});
		return beside.find(([field]) => field === name)?.[1];
	}
}

function noSuchFile(context: IExecuteFunctions, index: number, error: unknown): BadInput {
	const { json = {}, binary = {} } = context.getInputData()[index] ?? {};
	const fields = [...Object.keys(binary), ...Object.keys(json[IN_JSON] ?? {})];
	const message = error instanceof Error ? error.message : String(error);
	return new BadInput(
		`Input Data Field Name: ${endSentence(message)}`,
		fields.length === 0
			? 'The item holds no file. Put a node in front that yields one.'
			: `The item holds files in: ${fields.join(', ')}.`,
	);
}
