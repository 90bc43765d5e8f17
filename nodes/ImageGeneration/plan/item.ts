import type { IExecuteFunctions, INode } from 'n8n-workflow';

import type { NamesInUse } from './namesInUse';

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
	/** What the node's earlier runs in the execution gave. */
	namesInUse: NamesInUse;
}

/** An item to plan. */
export interface Item extends PlanningRun {
	itemIndex: number;
	/** Reads a parameter, with its expressions evaluated for the item. */
	valueOf: (name: string) => unknown;
}
