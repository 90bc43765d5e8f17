import { Readable } from 'node:stream';
import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { PlanningRun } from '../../nodes/ImageGeneration/plan/item';

/** Evaluated parameters, which may have any type. */
type Values = Record<string, unknown>;

/** What planning reads. */
interface Inputs {
	items?: INodeExecutionData[];
	/** For all items, or by item index. */
	parameters?: Values | ((itemIndex: number) => Values);
	isTool?: boolean;
	binaryMode?: string | undefined;
	/** Where the service is. */
	origin?: string;
	/** Reads a stored file's bytes by its id. */
	read?: (id: string) => Promise<Buffer>;
}

/** The parts of a run that planning reads, for cases that n8n's engine cannot produce. */
export function planningRun({
	items = [{ json: {} }],
	parameters = {},
	isTool = false,
	binaryMode,
	origin = 'https://example.com',
	read = async (id) => Buffer.from(id),
}: Inputs = {}): PlanningRun {
	const parametersOf = (index: number): Values =>
		typeof parameters === 'function' ? parameters(index) : parameters;
	const double = {
		getInputData: () => items,
		getWorkflowSettings: () => ({ binaryMode }),
		getNodeParameter: (path: string, index: number, fallback: unknown) => {
			const value = path
				.split('.')
				.reduce<unknown>((values, name) => (Object(values) as Values)[name], parametersOf(index));
			return value === undefined ? fallback : value;
		},
		helpers: {
			assertBinaryData: (index: number, value: string | IBinaryData) => {
				const found = typeof value === 'string' ? items[index]?.binary?.[value] : value;
				if (found?.mimeType === undefined) throw new Error('There is no such file');
				return found;
			},
			getBinaryMetadata: async (id: string) => ({ fileSize: (await read(id)).length }),
			getBinaryStream: async (id: string) => Readable.from([await read(id)], { objectMode: false }),
		},
	};
	const node = {
		parameters: typeof parameters === 'function' ? asExpressions(parameters(0)) : parameters,
	} as unknown as PlanningRun['node'];
	const context = double as unknown as IExecuteFunctions;
	const service = { baseUrl: { origin } };
	return { context, node, runName: '0', isTool, service };
}

/** Values that differ between items come from expressions. */
function asExpressions(values: Values): Values {
	return Object.fromEntries(Object.keys(values).map((name) => [name, `={{ $json.${name} }}`]));
}
