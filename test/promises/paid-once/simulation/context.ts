import type { IDataObject, IExecuteFunctions, INode, INodeParameters } from 'n8n-workflow';

import { ORIGIN, type Attempt } from './executions';
import { pictureOf } from './pictures';
import type { Settings, Workflow } from './plan';
import type { SimulatedService } from './service';

/** What the node asks of its world. */
export interface NodeWorld {
	settings: Settings;
	service: SimulatedService;
	/** Writes a line to n8n's log. */
	note: (line: string) => void;
	callTable: (
		attempt: Attempt,
		...call: Parameters<IExecuteFunctions['executeWorkflow']>
	) => Promise<unknown>;
	/** What n8n has stored of an execution. */
	ask: (attempt: Attempt, id: string) => Promise<unknown>;
}

/** What n8n gives to the node for one attempt of a run. */
export function contextFor(world: NodeWorld, attempt: Attempt): IExecuteFunctions {
	const { execution, items, round } = attempt;
	const { workflow, outputs } = execution;
	const node = nodeOf(attempt, world.settings.hasLog);
	const parameters = node.parameters as IDataObject;
	const read = (path: string, index: number): unknown => {
		const value = path
			.split('.')
			.reduce<unknown>((values, name) => (Object(values) as IDataObject)[name], parameters);
		return evaluate(value, items[index]?.json ?? {});
	};
	const say = (line: string) => world.note(line);
	const context = {
		getNode: () => node,
		getInputData: () => items,
		getMode: () => modeOf(attempt),
		getExecutionId: () => execution.id,
		getExecutionContext: () => ({ parentExecutionId: execution.caller?.id }),
		getExecutionCancelSignal: () => execution.stop.signal,
		getExecutionDataById: async (id: string) => await attempt.track(world.ask(attempt, id)),
		getWorkflow: () => ({ id: workflow.name, name: workflow.name, active: true }),
		getWorkflowSettings: () => ({
			saveDataErrorExecution: workflow.savesFailed ? 'all' : 'none',
			saveDataSuccessExecution: workflow.savesWell ? 'all' : 'none',
		}),
		getWorkflowDataProxy: (index: number) => ({
			$runIndex: round,
			$json: items[index]?.json,
			$execution: { customData: new Map<string, string>() },
			$items: (_name: string, _output: number, run: number) => {
				const output = outputs[attempt.node]?.[run];
				if (output === undefined) throw new Error('This run has no data');
				return output;
			},
		}),
		getContext: () => (execution.contexts[attempt.node] ??= {}),
		getTimezone: () => 'UTC',
		getCredentials: async () => ({ baseUrl: ORIGIN, apiKey: workflow.key }),
		getNodeParameter: (path: string, index: number, fallback: unknown) =>
			read(path, index) ?? fallback,
		evaluateExpression: (text: string, index: number) =>
			evaluate(`=${text.replace(/^=/, '')}`, items[index]?.json ?? {}),
		continueOnFail: () => workflow.continues,
		addExecutionHints: (...hints: Array<{ message: string }>) => {
			execution.said.push(...hints.map(({ message }) => message));
		},
		executeWorkflow: async (...call: Parameters<IExecuteFunctions['executeWorkflow']>) =>
			await attempt.track(world.callTable(attempt, ...call)),
		logger: { info: say, warn: say, error: say, debug: say },
		helpers: {
			assertBinaryData: (index: number) => items[index]?.binary?.data,
			prepareBinaryData: async (image: AsyncIterable<Buffer>, fileName: string, type: string) => {
				const chunks: Buffer[] = [];
				for await (const chunk of image) chunks.push(chunk);
				return { data: Buffer.concat(chunks).toString('base64'), mimeType: type, fileName };
			},
			httpRequest: async ({ url }: { url: string }) =>
				await attempt.track(world.service.download(attempt, url)),
			async httpRequestWithAuthentication(
				this: { getExecutionCancelSignal: () => AbortSignal },
				_credential: string,
				options: Parameters<SimulatedService['request']>[2],
			) {
				const signal = this.getExecutionCancelSignal();
				return await attempt.track(world.service.request(attempt, signal, options));
			},
		},
	};
	return context as unknown as IExecuteFunctions;
}

/** The items of a run. */
export function itemsFor(wishes: Attempt['wishes'], { operation, isByAddress }: Workflow) {
	return wishes.map(({ ask }, item) => {
		const json = { ask };
		if (operation === 'generate' || isByAddress) return { json, pairedItem: { item } };
		const data = pictureOf(ask).toString('base64');
		const file = { data, mimeType: 'image/png', fileName: `${ask}.png` };
		return { json, pairedItem: { item }, binary: { data: file } };
	});
}

function nodeOf({ execution, node, wishes }: Attempt, hasLog: boolean): INode {
	const { workflow } = execution;
	const { operation, isByAddress, isFixed, copies } = workflow;
	const options: INodeParameters = { concurrency: workflow.concurrency };
	if (hasLog) options.purchaseLog = 'Purchases';
	if (workflow.reuse !== undefined) options.reuse = workflow.reuse;
	if (workflow.dayLimit !== undefined) options.maxImagesPerDay = workflow.dayLimit;
	if (copies > 1) options.numberOfImages = copies;
	const parameters: INodeParameters = { operation, download: true, options };
	if (operation === 'generate') {
		parameters.prompt = isFixed ? (wishes[0]?.ask ?? '') : '={{ $json.ask }}';
		parameters.version = 'standard';
		parameters.size = 'square';
	} else if (isByAddress) {
		parameters.inputType = 'url';
		parameters.imageUrl = '={{ $json.ask }}';
	} else {
		parameters.inputType = 'binary';
		parameters.binaryPropertyName = 'data';
	}
	if (operation === 'edit') {
		parameters.prompt = 'Make it brighter';
		parameters.version = 'standard';
	}
	return {
		id: node,
		name: node,
		type: 'n8n-nodes-image-generation.imageGeneration',
		typeVersion: 1,
		position: [0, 0],
		retryOnFail: workflow.tries > 1,
		maxTries: workflow.tries,
		onError: workflow.continues ? 'continueRegularOutput' : 'stopWorkflow',
		parameters,
		credentials: { imageGenerationApi: { id: workflow.key, name: 'Credential' } },
	};
}

function modeOf({ execution: { isManual, retries, caller } }: Attempt): string {
	if (isManual) return 'manual';
	if (caller !== undefined) return 'integrated';
	return retries === undefined ? 'trigger' : 'retry';
}

/** What n8n makes of a parameter: the only expression reads the item's field. */
function evaluate(value: unknown, { ask }: IDataObject): unknown {
	return value === '={{ $json.ask }}' ? ask : value;
}
