import type { INode, INodeExecutionData } from 'n8n-workflow';

import type { Delivery } from '../buy/deliver';
import { BadInput } from '../failures/failures';
import type { Outcome } from '../failures/outcome';
import { jobLine, messageFor } from './messages';

/** An item's row in the output. */
export function toOutputItem(
	outcome: Outcome<Delivery>,
	input: INodeExecutionData | undefined,
	index: number,
	node: INode,
): INodeExecutionData {
	const item = input ?? { json: {} };
	if ('value' in outcome) return resultRow(outcome.value, item, index);
	const failed = errorRow(outcome.failure, item, index);
	return node.onError === 'continueErrorOutput' ? marked(failed, outcome.failure) : failed;
}

/** The row of an item that was delivered: the service's job result, and its image. */
function resultRow(
	{ job, image, plan: { outputField, options } }: Delivery,
	input: INodeExecutionData,
	index: number,
): INodeExecutionData {
	const binary = {
		...(options.includeInputFields && input.binary),
		...(outputField !== undefined && image !== undefined && { [outputField]: image }),
	};
	return {
		json: { ...(options.includeInputFields && input.json), ...job } as INodeExecutionData['json'],
		...(Object.keys(binary).length > 0 && { binary }),
		pairedItem: { item: index },
	};
}

/** The row of an item that could not be delivered, with the input's fields and files. */
function errorRow(failure: unknown, input: INodeExecutionData, index: number): INodeExecutionData {
	const { title, advice, status, words, job } = messageFor(failure);
	const details = {
		...(advice !== '' && { advice }),
		...(failure instanceof BadInput && { badInput: true }),
		...(status !== undefined && { status }),
		...(words !== undefined && { words }),
		...job,
	};
	return {
		json: { ...input.json, error: title, details },
		...(input.binary !== undefined && { binary: input.binary }),
		pairedItem: { item: index },
	};
}

/**
 * n8n puts a row into the error output if it has an `error` beside its JSON, but then replaces the
 * JSON by that error's message. It copies the row in between, and what is not enumerable stays
 * behind. Its other sign, a JSON with certain keys and no more, would not do: 1.123.81 takes
 * `error` and `message` alone, and 2.40.3 adds `$binary` before it looks, where the workflow's
 * binaryMode is combined.
 */
function marked(failed: INodeExecutionData, failure: unknown): INodeExecutionData {
	const { title, advice, job } = messageFor(failure);
	// All in one line, as a row without an input item is not copied.
	const value = new Error([title, advice, jobLine(job)].filter(Boolean).join(' '));
	return Object.defineProperty(failed, 'error', { value, enumerable: false });
}
