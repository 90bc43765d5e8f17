import type { IBinaryData, IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { JobRequest, ReadParameter } from '../types';

/** What an operation reads an item's request from. */
export interface OperationInput {
	/** A parameter of the item. */
	read: ReadParameter;
	/** The item's values of the Options collection; what was not added is missing. */
	options: IDataObject;
	/** The file that a field name, a path or a binary object stands for. */
	binaryOf: (value: unknown) => IBinaryData;
}

/** One tool of the service as n8n shows it and as it goes out. */
export interface Operation {
	/** How it stands in the list of operations; `value` is part of saved workflows. */
	option: INodePropertyOptions & { value: string; action: string };
	/** Its own fields, without the condition that shows them for this operation only. */
	fields: INodeProperties[];
	/** Its own entries in the Options collection, likewise without that condition. */
	options?: INodeProperties[];
	/**
	 * Turns an item into a request; a parameter that is hidden is not in it.
	 * @throws BadInput when a parameter can't be sent.
	 */
	request(input: OperationInput): JobRequest;
}
