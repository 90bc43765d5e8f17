import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { ReadParameter } from '../types';

/** What an operation reads an item's request from. */
export interface OperationInput<Name extends string = string> {
	/** A parameter of the item. */
	read: ReadParameter<Name>;
	/** The item's values of the Options collection; what was not added is missing. */
	options: IDataObject;
}

/** One tool of the service as n8n shows it and as it goes out. */
export interface Operation {
	/** The model id, the last segment of the path (section 1). */
	model: string;
	/** How it stands in the list of operations; `value` is part of saved workflows. */
	option: INodePropertyOptions & { value: string; action: string };
	/** Its own fields, without the condition that shows them for this operation only. */
	fields: INodeProperties[];
	/** Its own entries in the Options collection, likewise without that condition. */
	options?: INodeProperties[];
	/**
	 * What follows the input file's name in the output file's. A tool that has it works on images and
	 * has the fields for them; the others are named after their prompt.
	 */
	suffix?: string;
	/**
	 * The text parts of an item's requests; a parameter that is hidden is not among them.
	 * @throws BadInput when a parameter can't be sent.
	 */
	textParts(input: OperationInput): Record<string, string>;
}
