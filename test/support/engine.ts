import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type {
	IBinaryData,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRun,
	IWorkflowSettings,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';
import { execute, retry, type Runnable } from './execute';
import { itemsNode } from './itemsNode';

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
	/** How n8n came to run it: by a trigger (the default), or by hand (`manual`). */
	mode?: WorkflowExecuteMode;
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
	/** Runs a failed execution again, as Retry in n8n's list of executions does. */
	retry(failed: EngineResult, what: EngineRun): Promise<EngineResult>;
	close(): void;
}

/** n8n's way to keep binaries: files, or memory (`default`). */
export type BinaryMode = 'filesystem' | 'default';

/** Starts n8n's engine. One at a time, as n8n keeps its storage for the whole process. */
export async function startEngine(mode: BinaryMode = 'filesystem'): Promise<Engine> {
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
		const execution = execute(workflowOf(what), what.credential, what.mode);
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
		retry: async (failed, what) =>
			resultOf(await retry(workflowOf(what), what.credential, failed.run)),
		close: () => {
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** Items go in, and again for each further round, as a loop brings them. */
function workflowOf({
	parameters,
	items = [{ json: {} }],
	rounds: further = [],
	node,
	settings,
}: EngineRun): Runnable {
	const rounds = [items, ...further];
	const toCome = rounds.values();
	const source = itemsNode(() => toCome.next().value ?? [], rounds.length > 1);
	return {
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
		settings: { executionOrder: 'v1', ...settings },
		types: new Map<string, INodeType>([
			['items', source],
			['imageGeneration', new ImageGeneration()],
			// What n8n makes of a node that is usable as a tool.
			['imageGenerationTool', new ImageGeneration()],
		]),
		start: 'Items',
	};
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
