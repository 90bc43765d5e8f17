import type { TextParts } from '../fields/additionalFields';
import type { Fields, OptionalFields, ValuesOf } from '../fields/field';

/** One tool of the service: how n8n shows it, and how its request is built. */
export interface Operation<F extends Fields = Fields, O extends OptionalFields = OptionalFields> {
	/** The model id, the last segment of the path (section 1). */
	model: string;
	/** Its entry in the list of operations. */
	name: string;
	action: string;
	description: string;
	/** Its fields, without the condition that limits them to this operation. */
	fields: F;
	/** Its own options, without that condition; each made by `optional`. */
	options: O;
	/**
	 * Set if the operation works on images and has {@link imageFields}. The suffix is added to the input
	 * file's name to name the output file; other files are named after the prompt.
	 */
	image?: { suffix: string };
	/**
	 * Builds the text parts of an item's requests from the values of its fields and options, without those
	 * of hidden fields and of options that were not added.
	 * @throws BadInput if the values don't fit together.
	 */
	textParts(fields: Partial<ValuesOf<F>>, options: ValuesOf<O>): TextParts;
}

/** Defines an operation whose fields and options the compiler knows in `textParts`. */
export function defineOperation<F extends Fields, O extends OptionalFields>(
	operation: Operation<F, O>,
): Operation {
	return operation;
}
