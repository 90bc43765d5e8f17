import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { requiredText, trueOrFalse } from '../fields/check';
import { readItemOptions, type ItemOptions } from '../fields/options';
import { safeFileName, stemOf } from '../images/fileName';
import { imageFile } from '../images/imageFile';
import type { StreamedFile } from '../images/streamedFile';
import { operationOf } from '../operations/index';
import type { Run } from '../run';
import type { JobRequest } from '../types';
import { itemFile } from './itemFile';

/** Everything that an item needs, checked before the first paid call. */
export interface Plan {
	request: JobRequest;
	file: StreamedFile | undefined;
	/** Where the image goes in the output; undefined where it is not fetched. */
	outputField: string | undefined;
	/** The image's name without extension; undefined where the job's id makes it. */
	name: string | undefined;
	options: ItemOptions;
}

/**
 * Reads and checks one item. An AI agent gets the job result alone, as files would break its answer.
 * @throws BadInput for whatever can't be sent.
 */
export async function planItem(context: IExecuteFunctions, run: Run, index: number): Promise<Plan> {
	const read = (name: string): unknown => context.getNodeParameter(name, index, '');
	const given = (read('options') || {}) as IDataObject;
	const request = operationOf(read('operation')).request({
		read,
		options: given,
		binaryOf: (value) => itemFile(context, index, value),
	});
	const options = { ...readItemOptions(given), ...(run.isTool && { includeInputFields: false }) };
	const fetches = !run.isTool && trueOrFalse('Download Image', read('download'));
	const outputField = fetches
		? requiredText('Put Output File in Field', read('outputPropertyName')).trim()
		: undefined;
	// Before anything is waited for, so that numbers follow the order of the items.
	const name = options.fileName || defaultName(request, run);
	const file = request.image && (await imageFile(context.helpers, request.image));
	return { request, file, outputField, name, options };
}

// Bytes; leaves room for what is put behind it.
const LONGEST_SOURCE = 160;

function defaultName({ fileName }: JobRequest, { uniqueName }: Run): string | undefined {
	if (fileName === undefined) return undefined;
	const { from, suffix } = fileName;
	return uniqueName(`${stemOf(safeFileName(from, LONGEST_SOURCE))}-${suffix}`);
}
