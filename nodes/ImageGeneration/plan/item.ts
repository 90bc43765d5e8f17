import type { IExecuteFunctions, INode } from 'n8n-workflow';

import type { Outcome } from '../failures/failures';
import type { InputFile } from '../images/imageFile';
import type { JobPlace } from '../types';

/** What planning needs of a run. */
export interface Planning {
	context: IExecuteFunctions;
	node: INode;
	/** Distinguishes the node's runs in one execution, such as the rounds of a loop. */
	runName: string;
	/** Whether an AI agent calls the node as a tool. */
	isTool: boolean;
}

/** A run that can plan, because its service is known. */
export interface PlanningRun extends Planning {
	service: { baseUrl: { origin: string } };
}

/** An item to plan. */
export interface Item extends PlanningRun {
	itemIndex: number;
	/** Reads a parameter, with its expressions evaluated for the item. */
	valueOf: (name: string) => unknown;
}

/** One input image of an item, or its prompt if it has none. */
export interface ItemImage extends Pick<JobPlace, 'label' | 'source' | 'skipped'> {
	/** The part `image` of a request (section 2.2): a file, or an address. */
	part: Outcome<InputFile | string | undefined>;
}
