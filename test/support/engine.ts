import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	ExecutionLifecycleHooks,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IBinaryData,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
	type IWorkflowSettings,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import { credentialsHelper } from './credentialsHelper';

// The node that ships: `npm test` builds before it runs these tests.
const { ImageGeneration } = jest.requireActual<{ ImageGeneration: new () => INodeType }>(
	'../../dist/nodes/ImageGeneration/ImageGeneration.node.js',
);

/** The name of the node under test in every workflow. */
export const NODE = 'Image Generation';

/** One run of the node in n8n's own engine. */
export interface EngineRun {
	parameters: INodeParameters;
	/** The items that arrive; binaries are put into n8n's storage first. One empty item by default. */
	items?: INodeExecutionData[];
	/** The items of further runs of the node in the same execution, as a loop brings them. */
	rounds?: INodeExecutionData[][];
	/** Node settings, such as onError or retryOnFail. */
	node?: Partial<INode>;
	settings?: IWorkflowSettings;
	credential: ICredentialDataDecryptedObject;
}

/** What came of a run. */
export interface EngineResult {
	run: IRun;
	/** The rows of the node's first output. */
	rows: INodeExecutionData[];
	/** The rows of its error output. */
	errorRows: INodeExecutionData[];
	/** What stopped the node, if anything did. */
	error: (Error & { description?: string; httpCode?: string; context?: IDataObject }) | undefined;
}

/** n8n's engine with storage in a folder of its own. Close it in the end. */
export interface Engine {
	/** Puts bytes into n8n's storage. */
	store(bytes: Buffer, fileName: string, mimeType: string): Promise<IBinaryData>;
	/** Takes bytes out of n8n's storage. */
	bytesOf(binary: IBinaryData | undefined): Promise<Buffer>;
	run(what: EngineRun): Promise<EngineResult>;
	/** Starts a run that can be stopped as the Stop button of n8n's editor does. */
	start(what: EngineRun): { result: Promise<EngineResult>; stop: () => void };
	close(): void;
}

/** @param mode n8n's way to keep binaries: files, or memory (`default`). */
export async function startEngine(mode: 'filesystem' | 'default' = 'filesystem'): Promise<Engine> {
	const root = join(process.cwd(), '.cache', 'engine');
	await mkdir(root, { recursive: true });
	const folder = mkdtempSync(join(root, 'run-'));
	const config = Container.get(BinaryDataConfig);
	config.mode = mode;
	config.localStoragePath = folder;
	const storage = Container.get(BinaryDataService);
	await storage.init();

	const location = { type: 'execution', workflowId: 'workflow', executionId: 'execution' } as const;

	const start: Engine['start'] = (what) => {
		const execution = execute(what);
		return {
			result: Promise.resolve(execution).then(resultOf),
			stop: () => {
				execution.cancel();
			},
		};
	};

	return {
		store: async (bytes, fileName, mimeType) =>
			await storage.store(location, bytes, { data: '', fileName, mimeType }),
		bytesOf: async (binary) => {
			if (binary === undefined) throw new Error('There is no such binary');
			return await storage.getAsBuffer(binary);
		},
		start,
		run: async (what) => await start(what).result,
		close: () => {
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function execute({
	parameters,
	items = [{ json: {} }],
	rounds = [],
	node,
	settings,
	credential,
}: EngineRun) {
	const workflow = workflowOf(parameters, [items, ...rounds], node, settings);
	const startNode = workflow.getNode('Items');
	if (startNode === null) throw new Error('The workflow has no start');
	const data = additionalData(ExecutionLifecycleHooks, credentialsHelper(credential));
	return new WorkflowExecute(data, 'manual', createRunExecutionData()).run({
		workflow,
		startNode,
	});
}

function workflowOf(
	parameters: INodeParameters,
	rounds: INodeExecutionData[][],
	node: Partial<INode> = {},
	settings: IWorkflowSettings = {},
): Workflow {
	const toCome = rounds.values();
	const source: INodeType = {
		description: {
			displayName: 'Items',
			name: 'items',
			group: ['input'],
			version: 1,
			description: '',
			defaults: { name: 'Items' },
			inputs: rounds.length > 1 ? ['main'] : [],
			outputs: ['main'],
			properties: [],
		},
		execute: async () => await Promise.resolve([toCome.next().value ?? []]),
	};
	const types: Record<string, INodeType> = {
		items: source,
		imageGeneration: new ImageGeneration(),
		// What n8n makes of a node that is usable as a tool.
		imageGenerationTool: new ImageGeneration(),
	};
	const typeOf = (name: string) => {
		const type = types[name];
		if (type === undefined) throw new Error(`There is no node type ${name}`);
		return type;
	};
	return new Workflow({
		id: 'workflow',
		name: 'Test',
		active: false,
		nodes: [
			{ id: '1', name: 'Items', type: 'items', typeVersion: 1, position: [0, 0], parameters: {} },
			{
				id: '2',
				name: NODE,
				type: 'imageGeneration',
				typeVersion: 1,
				position: [200, 0],
				parameters,
				credentials: { imageGenerationApi: { id: '1', name: 'Sandbox' } },
				...node,
			},
		],
		connections: {
			Items: { main: [[{ node: NODE, type: 'main', index: 0 }]] },
			...(rounds.length > 1 && {
				[NODE]: { main: [[{ node: 'Items', type: 'main', index: 0 }]] },
			}),
		},
		nodeTypes: {
			getByName: typeOf,
			getByNameAndVersion: typeOf,
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1', ...settings },
	});
}

function resultOf(run: IRun): EngineResult {
	const task = run.data.resultData.runData[NODE]?.at(-1);
	// What an AI agent asked for is logged under its own connection.
	const [rows, errorRows] = task?.data?.main ?? task?.data?.ai_tool ?? [];
	return {
		run,
		rows: rows ?? [],
		errorRows: errorRows ?? [],
		error: (task?.error ?? run.data.resultData.error) as EngineResult['error'],
	};
}
