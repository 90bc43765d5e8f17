import type { INodePropertyOptions } from 'n8n-workflow';

import type { Fields, ReadField, ValuesOf } from '../fields/field';

/** What an operation can read to build an item's request. */
interface OperationInput<F extends Fields, O extends Fields> {
	/** Reads and checks a field of the item. Don't read hidden fields. */
	read: ReadField<F>;
	/** The operation's own options. */
	options: ValuesOf<O>;
}

/** One tool of the service: how n8n shows it, and how its request is built. */
export interface Operation<F extends Fields = Fields, O extends Fields = Fields> {
	/** The model id, the last segment of the path (section 1). */
	model: string;
	/** Entry in the list of operations. Saved workflows contain `value`. */
	option: INodePropertyOptions & { value: string; action: string };
	/** Its fields, without the condition that limits them to this operation. */
	fields: F;
	/** Its own options, without that condition. */
	options: O;
	/**
	 * Set if the operation works on images and has {@link imageFields}. The suffix is added to the input
	 * file's name to name the output file; other files are named after the prompt.
	 */
	image?: { suffix: string };
	/**
	 * Builds the text parts of an item's requests, without hidden parameters.
	 * @throws BadInput if a parameter is invalid.
	 */
	textParts(input: OperationInput<F, O>): Record<string, string>;
}

/** Defines an operation whose fields and options the compiler knows in `textParts`. */
export function defineOperation<F extends Fields, O extends Fields>(
	operation: Operation<F, O>,
): Operation {
	return operation;
}
