import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeParameters,
} from 'n8n-workflow';

import type { SimulatedProcess } from './clock';
import { ORIGIN, type Attempt } from './executions';
import { pictureOf, pictureResponse } from './service';

/** What the node needs of its world. */
export interface NodeWorld {
	/** No other world has it. */
	id: number;
	hasLog: boolean;
	request(attempt: Attempt, signal: AbortSignal, options: IHttpRequestOptions): Promise<unknown>;
	callTable: (
		attempt: Attempt,
		...call: Parameters<IExecuteFunctions['executeWorkflow']>
	) => Promise<unknown>;
	/** What n8n has stored of an execution. */
	ask(attempt: Attempt, id: string): Promise<unknown>;
	/** A line in n8n's log. */
	note(attempt: Attempt, line: string): void;
}

/** What n8n gives to the node for one attempt of a run. */
export function contextFor(world: NodeWorld, attempt: Attempt): IExecuteFunctions {
	const { run, process, hints } = attempt;
	const { execution, round } = run;
	const { plan } = execution;
	const node = nodeOf(attempt, world.hasLog);
	const items = plan.asks.map((ask) =>
		plan.isCutOut
			? {
					json: {},
					binary: { data: { data: pictureOf(ask), mimeType: 'image/png', fileName: `${ask}.png` } },
				}
			: { json: { ask } },
	);
	const context = {
		getNode: () => node,
		getInputData: () => items,
		getMode: () => modeOf(attempt),
		getExecutionId: () => execution.id,
		getExecutionContext: () => ({ parentExecutionId: execution.caller?.id }),
		getExecutionCancelSignal: () => execution.stop.signal,
		getExecutionDataById: async (id: string) => await world.ask(attempt, id),
		getWorkflow: () => ({ id: plan.node, name: 'Workflow', active: true }),
		getWorkflowSettings: () => ({ saveDataErrorExecution: plan.savesFailed ? 'all' : 'none' }),
		getWorkflowDataProxy: () => ({
			$runIndex: round,
			$execution: { customData: new Map<string, string>() },
			$items: (_name: string, _output: number, index: number) => execution.outputs[index] ?? [],
		}),
		getContext: () => execution.context,
		getTimezone: () => 'UTC',
		getCredentials: async () => await Promise.resolve(credentialOf(world, process)),
		getNodeParameter: (path: string, index: number, fallback: unknown) =>
			parameter(node.parameters as IDataObject, path, items[index]?.json ?? {}) ?? fallback,
		continueOnFail: () => plan.continues,
		addExecutionHints: (...added: Array<{ message: string }>) => {
			hints.push(...added.map(({ message }) => message));
		},
		executeWorkflow: async (...call: Parameters<IExecuteFunctions['executeWorkflow']>) =>
			await world.callTable(attempt, ...call),
		logger: { info: (line: string) => world.note(attempt, line) },
		helpers: {
			assertBinaryData: (index: number) => items[index]?.binary?.data,
			httpRequest: async () => await Promise.resolve(pictureResponse()),
			async httpRequestWithAuthentication(
				this: { getExecutionCancelSignal: () => AbortSignal },
				_credential: string,
				options: IHttpRequestOptions,
			) {
				return await world.request(attempt, this.getExecutionCancelSignal(), options);
			},
		},
	};
	return context as unknown as IExecuteFunctions;
}

/** The pace that a process learns is its own, so each has another key. */
export function credentialOf({ id }: Pick<NodeWorld, 'id'>, { name }: SimulatedProcess) {
	return { baseUrl: ORIGIN, apiKey: `${id}${name}` };
}

function nodeOf({ run: { execution } }: Attempt, hasLog: boolean): INode {
	const { plan } = execution;
	const options: INodeParameters = { concurrency: plan.concurrency, timeout: plan.timeout };
	if (hasLog) options.purchaseLog = 'Purchases';
	if (plan.reuse !== undefined) options.reuse = plan.reuse;
	if (plan.dayLimit !== undefined) options.maxImagesPerDay = plan.dayLimit;
	return {
		id: plan.node,
		name: 'Image Generation',
		type: 'n8n-nodes-image-generation.imageGeneration',
		typeVersion: 1,
		position: [0, 0],
		retryOnFail: plan.tries > 1,
		maxTries: plan.tries,
		onError: plan.continues ? 'continueRegularOutput' : 'stopWorkflow',
		parameters: plan.isCutOut
			? {
					operation: 'removeBackground',
					inputType: 'binary',
					binaryPropertyName: 'data',
					download: false,
					options,
				}
			: {
					operation: 'generate',
					prompt: '={{ $json.ask }}',
					version: 'standard',
					size: 'square',
					download: false,
					options,
				},
		credentials: { imageGenerationApi: { id: 'credential', name: 'Credential' } },
	};
}

function modeOf({ run: { execution } }: Attempt): string {
	if (execution.plan.isManual) return 'manual';
	if (execution.retries !== undefined) return 'retry';
	return execution.caller === undefined ? 'trigger' : 'integrated';
}

function parameter(parameters: IDataObject, path: string, json: IDataObject): unknown {
	if (path === 'prompt') return json.ask;
	return path
		.split('.')
		.reduce<unknown>((values, name) => (Object(values) as IDataObject)[name], parameters);
}
