import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import type { Outcome } from '../failures/outcome';
import type { Delivery, Job, JobPlace, PlannedJob } from '../types';
import { jobLine, messageFor } from './messages';

/** The output item of a job. */
export function toOutputItem(
	node: INode,
	job: PlannedJob,
	outcome: Outcome<Delivery>,
	input: INodeExecutionData | undefined,
): INodeExecutionData {
	const item = input ?? { json: {} };
	if ('value' in outcome && !('failure' in job)) return resultItem(job, outcome.value, item);
	const failure = 'failure' in outcome ? outcome.failure : undefined;
	if (node.onError !== 'continueErrorOutput') return errorItem(job, failure, item);
	return toErrorOutput(errorItem({ ...job, includesInput: true }, failure, item), failure);
}

/** A delivered job: the service's job result, and its image. */
function resultItem(
	{ itemIndex, source, copy, includesInput, outputField }: Job,
	{ result, image }: Delivery,
	input: INodeExecutionData,
): INodeExecutionData {
	const binary = {
		...(includesInput && input.binary),
		...(outputField !== undefined && image !== undefined && { [outputField]: image }),
	};
	return {
		json: {
			...(includesInput && input.json),
			...result,
			...(source !== undefined && { source }),
			...(copy !== undefined && { copy }),
		} as IDataObject,
		...(Object.keys(binary).length > 0 && { binary }),
		pairedItem: { item: itemIndex },
	};
}

/** A job that could not be delivered, and why. */
function errorItem(
	{ itemIndex, source, copy, includesInput }: JobPlace,
	failure: unknown,
	input: INodeExecutionData,
): INodeExecutionData {
	const { title, advice, status, serviceMessage, job } = messageFor(failure);
	const details = {
		...(advice !== '' && { advice }),
		...(failure instanceof BadInput && { badInput: true }),
		...(status !== undefined && { status }),
		...(serviceMessage !== undefined && { serviceMessage }),
		...job,
		...(source !== undefined && { source }),
		...(copy !== undefined && { copy }),
	};
	return {
		json: { ...(includesInput && input.json), error: title, details },
		...(includesInput && input.binary !== undefined && { binary: input.binary }),
		pairedItem: { item: itemIndex },
	};
}

/**
 * n8n puts a row into the error output if it has an `error` beside its JSON, but then replaces the
 * JSON by that error's message. It copies the row in between, and what is not enumerable stays
 * behind. Its other sign, a JSON with certain keys and no more, would not do: 1.123.81 takes
 * `error` and `message` alone, and 2.40.3 adds `$binary` before it looks, where the workflow's
 * binaryMode is combined.
 */
function toErrorOutput(failed: INodeExecutionData, failure: unknown): INodeExecutionData {
	const { title, advice, job } = messageFor(failure);
	// All in one line, because a row without an input item is not copied.
	const value = new Error([title, advice, jobLine(job)].filter(Boolean).join(' '));
	return Object.defineProperty(failed, 'error', { value, enumerable: false });
}
