import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { notStarted, type Failure } from '../failures/failures';
import { IMAGE_EXTENSION } from '../images/imageType';
import { completeName, type PlannedName } from '../images/outputName';
import { isToolNode } from '../n8n/execution';
import type { FinishedRow, JobPlace, Row, RowOutcome } from '../types';
import { placeName } from '../values/placeName';
import { jobLine, messageFor } from './messages';

/** Converts the outcomes of rows to output items, in order. */
export function toOutputItems(
	node: INode,
	input: readonly INodeExecutionData[],
	outcomes: readonly RowOutcome[],
): INodeExecutionData[] {
	return outcomes.map(({ row, outcome }) => {
		const item = input[row.itemIndex] ?? { json: {} };
		if ('value' in outcome && !('problem' in row)) {
			return resultItem(row, outcome.value, item, isToolNode(node));
		}
		const { failure } = 'failure' in outcome ? outcome : notStarted;
		if (node.onError !== 'continueErrorOutput') return errorItem(row, failure, item);
		return toErrorOutput(errorItem({ ...row, includesInput: true }, failure, item), failure);
	});
}

/** The output item of a delivered row: its result and its image. */
function resultItem(
	row: Row,
	{ result, image }: FinishedRow,
	input: INodeExecutionData,
	isTool: boolean,
) {
	const { outputField, fileName } = row;
	const name = image?.fileName ?? nameByLink(fileName, result.output_url);
	const file = outputField !== undefined && image !== undefined && { [outputField]: image };
	const shown = isTool ? markdownImage(result.output_url) : undefined;
	const json = {
		fileName: name,
		...result,
		...originOf(row),
		...(shown !== undefined && { markdown: shown }),
	};
	// People save the file under it, so a field of the service, which may be any path, does not count.
	json.fileName = name;
	return outputItem(row, json, input, file);
}

/**
 * The image as a model can put it into its answer. n8n drops the files of tools, and its chats show
 * images in Markdown (2.41.1).
 */
function markdownImage(link: unknown): string | undefined {
	if (typeof link !== 'string' || !URL.canParse(link)) return undefined;
	// Spaces and brackets would end the address.
	const address = new URL(link).href.replaceAll('(', '%28').replaceAll(')', '%29');
	return `![Image](${address})`;
}

/**
 * The name that the image would have; its type is known only from the link.
 * @param link Null in a Dry Run that would buy the image. Then a name that ends with characters of the purchase is null.
 */
function nameByLink(planned: PlannedName, link: unknown): string | null {
	if (typeof link !== 'string') return planned.isMarked ? null : planned.stem;
	const path = URL.canParse(link) ? new URL(link).pathname : '';
	const [extension = ''] = IMAGE_EXTENSION.exec(path) ?? [];
	return completeName(planned, link) + extension.toLowerCase();
}

/** The output item of a row without an image, with the reason. */
function errorItem(place: JobPlace, failure: Failure, input: INodeExecutionData) {
	const { title, advice } = messageFor(failure);
	const { kind, status, serviceMessage, job } = failure;
	const details = {
		item: placeName(place),
		...(advice !== '' && { advice }),
		...((kind === 'bad input' || kind === 'not an image') && { badInput: true }),
		...(status !== undefined && { status }),
		...(serviceMessage !== undefined && { serviceMessage }),
		...job,
		...originOf(place),
	};
	return outputItem(place, { error: title, details }, input);
}

/** An output item, paired with its input item, whose fields and files it may include. */
function outputItem(
	{ itemIndex, includesInput }: JobPlace,
	json: object,
	input: INodeExecutionData,
	file?: INodeExecutionData['binary'] | false,
): INodeExecutionData {
	const binary = { ...(includesInput && input.binary), ...file };
	const fields = { ...(includesInput && input.json), ...json } as IDataObject;
	// With Retry On Fail, null and false count as failures in n8n 1 (1.123.81), but not in n8n 2 (2.41.1).
	if (fields.error === null || fields.error === false) delete fields.error;
	return {
		json: fields,
		...(Object.keys(binary).length > 0 && { binary }),
		pairedItem: { item: itemIndex },
	};
}

/** Which image of its item it is, if there are several. */
function originOf({ source, copy }: JobPlace) {
	return { ...(source !== undefined && { source }), ...(copy !== undefined && { copy }) };
}

/**
 * Sends an item to the error output. n8n routes an item there if it has an `error` property, but then
 * replaces its JSON with the error's message. A non-enumerable property avoids that: n8n copies the
 * item in between, and the copy lacks it. n8n also routes items whose JSON has only certain keys, but
 * 1.123.81 accepts only `error` and `message`, and 2.40.3 adds `$binary` first if binaryMode is
 * combined.
 */
function toErrorOutput(failed: INodeExecutionData, failure: Failure): INodeExecutionData {
	const { title, advice } = messageFor(failure);
	// One line with everything, because n8n does not copy an item that has no input item.
	const value = new Error([title, advice, jobLine(failure.job)].filter(Boolean).join(' '));
	return Object.defineProperty(failed, 'error', { value, enumerable: false });
}
