import type { IExecuteFunctions, INode } from 'n8n-workflow';

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

/** Reads a parameter of an item. */
export type ParameterReader = (name: string, itemIndex: number) => unknown;

/**
 * Returns a reader that asks n8n once for a parameter without an expression, because its value is the
 * same for every item. That makes up most of the work of planning an item (n8n 2.40.3).
 */
export function parameterReader(
	context: Pick<IExecuteFunctions, 'getNodeParameter'>,
	{ parameters }: Pick<INode, 'parameters'>,
): ParameterReader {
	const fixed = new Map<string, unknown>();
	return (name, itemIndex) => {
		if (fixed.has(name)) return fixed.get(name);
		const value: unknown = context.getNodeParameter(name, itemIndex, '');
		if (!hasExpression(parameters[name])) fixed.set(name, value);
		return value;
	};
}

function hasExpression(parameter: unknown): boolean {
	if (typeof parameter === 'string') return parameter.startsWith('=');
	if (typeof parameter !== 'object' || parameter === null) return false;
	return Object.values(parameter).some(hasExpression);
}
