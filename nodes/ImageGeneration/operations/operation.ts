import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { ReadParameter } from '../types';

/** What an operation can read to build an item's request. */
export interface OperationInput<Name extends string = string> {
	/** Reads a parameter of the item. */
	read: ReadParameter<Name>;
	/** The options that the user added, with their values for the item. */
	options: IDataObject;
}

/** One tool of the service: how n8n shows it, and how its request is built. */
export interface Operation {
	/** The model id, the last segment of the path (section 1). */
	model: string;
	/** Entry in the list of operations. Saved workflows contain `value`. */
	option: INodePropertyOptions & { value: string; action: string };
	/** Its fields, without the condition that limits them to this operation. */
	fields: INodeProperties[];
	/** Its own options, without that condition. */
	options?: INodeProperties[];
	/**
	 * Added to the input file's name to name the output file. Only operations with image fields have
	 * one; without it, files are named after the prompt.
	 */
	suffix?: string;
	/**
	 * Builds the text parts of an item's requests, without hidden parameters.
	 * @throws BadInput if a parameter is invalid.
	 */
	textParts(input: OperationInput): Record<string, string>;
}
