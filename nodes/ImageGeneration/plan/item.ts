import type { IExecuteFunctions, INode } from 'n8n-workflow';

/** What planning needs of a run. */
export interface Planning {
	context: IExecuteFunctions;
	node: INode;
	/** Distinguishes the node's runs in one execution, such as the rounds of a loop. */
	runName: string;
	/** Whether an AI agent calls the node as a tool. */
	isTool: boolean;
}

/** An item to plan. */
export interface Item extends Planning {
	itemIndex: number;
	/** Reads a parameter, with its expressions evaluated for the item. */
	valueOf: (name: string) => unknown;
}
