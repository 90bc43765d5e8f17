import type { IExecuteFunctions, INode } from 'n8n-workflow';

import type { ParameterReader } from './parameterReader';

/** What planning needs of a run. */
export interface Planning {
	context: IExecuteFunctions;
	node: INode;
	readParameter: ParameterReader;
	/** Distinguishes the node's runs in one execution, such as the rounds of a loop. */
	runName: string;
	/** Whether an AI agent calls the node as a tool. */
	isTool: boolean;
}
