import 'reflect-metadata';

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
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

import type { N8nProcess } from '../../nodes/ImageGeneration/run/n8nProcess';
import { execute, retry, type Runnable } from './execute';
import { itemsNode, laterNode } from './itemsNode';
import type { N8nTables } from './n8nTables';
import { forgetPurchases, nodeIn } from './remembered';
import { useStarted } from './started';

/** Name of the node under test in every workflow. */
export const NODE = 'Image Generation';

/** A run of the node in n8n's engine. */
export interface EngineRun {
	parameters: INodeParameters;
	/** Input items; their files are stored in n8n first. One empty item by default. */
	items?: INodeExecutionData[];
	/** Input items of further runs in the same execution, as in a loop. */
	rounds?: INodeExecutionData[][];
	/** What a node behind it does, once it has run. */
	later?: () => Promise<unknown>;
	/** Node settings, such as onError or retryOnFail. */
	node?: Partial<INode>;
	settings?: IWorkflowSettings;
	/** `trigger` (the default) or `manual`. */
	mode?: WorkflowExecuteMode;
	/** The execution that calls it as a sub-workflow, in mode `integrated`. */
	caller?: string;
	/** n8n's data tables, for the option Purchase Log. */
	tables?: N8nTables;
	/** The n8n process that runs it: by default that of the test. */
	process?: N8nProcess;
	credential: ICredentialDataDecryptedObject;
}

/** The outcome of a run. */
export interface EngineResult {
	run: IRun;
	/** Output items of the node's first output. */
	rows: INodeExecutionData[];
	/** Output items of its error output. */
	errorRows: INodeExecutionData[];
	/** What stopped the node, if anything. */
	error: (Error & { description?: string; httpCode?: string; context?: IDataObject }) | undefined;
}

/** Where n8n keeps files: on disk, or in memory (`default`). */
export type BinaryMode = 'filesystem' | 'default';

export type Engine = Awaited<ReturnType<typeof startEngine>>;

/**
 * Starts n8n's engine with a storage folder of its own. Only one can run, because n8n has one storage
 * per process. Close it after the tests.
 */
async function startEngine(mode: BinaryMode = 'filesystem') {
	const root = join(process.cwd(), '.cache', 'engine');
	await mkdir(root, { recursive: true });
	const folder = mkdtempSync(join(root, 'run-'));
	const config = Container.get(BinaryDataConfig);
	config.mode = mode;
	config.localStoragePath = folder;
	const storage = Container.get(BinaryDataService);
	await storage.init();

	const location = { type: 'execution', workflowId: 'workflow', executionId: 'execution' } as const;
	/** Starts a run that can be stopped, like the editor's Stop button. */
	const start = (what: EngineRun) => {
		const execution = execute(workflowOf(what), what.credential, what.mode);
		return {
			result: Promise.resolve(execution).then(resultOf),
			stop: () => {
				execution.cancel();
			},
		};
	};

	return {
		/** Writes bytes to n8n's storage. */
		store: async (bytes: Buffer, fileName: string, mimeType: string) =>
			await storage.store(location, bytes, { data: '', fileName, mimeType }),
		/** Reads bytes from n8n's storage. */
		bytesOf: async (binary: IBinaryData | undefined) => {
			if (binary === undefined) throw new Error('There is no such binary');
			return await storage.getAsBuffer(binary);
		},
		start,
		run: async (what: EngineRun) => await start(what).result,
		/** Repeats a failed execution, like Retry in n8n's list of executions. */
		retry: async (failed: EngineResult, what: EngineRun) =>
			resultOf(await retry(workflowOf(what), what.credential, failed.run)),
		close: () => {
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/**
 * Starts n8n's engine for a file's tests, each of which begins as in an n8n that has just started.
 * @returns a function that gives it once they run
 */
export function useEngine(mode?: BinaryMode) {
	beforeEach(forgetPurchases);
	return useStarted(async () => await startEngine(mode));
}

/** Paths of the files in n8n's storage, with those that it is still writing. */
export function storedFiles(): string[] {
	const folder = Container.get(BinaryDataConfig).localStoragePath;
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));
}

/** A workflow that feeds the items to the node, round by round if there are several. */
function workflowOf({
	parameters,
	items = [{ json: {} }],
	rounds: further = [],
	later,
	node,
	settings,
	caller,
	tables,
	process,
}: EngineRun): Runnable {
	const rounds = [items, ...further];
	const toCome = rounds.values();
	const source = itemsNode(() => toCome.next().value ?? [], rounds.length > 1);
	const next = [...(rounds.length > 1 ? ['Items'] : []), ...(later === undefined ? [] : ['Later'])];
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
			{ id: '3', name: 'Later', type: 'later', typeVersion: 1, position: [400, 0], parameters: {} },
		],
		connections: {
			Items: { main: [[{ node: NODE, type: 'main', index: 0 }]] },
			[NODE]: { main: [next.map((name) => ({ node: name, type: 'main', index: 0 }))] },
		},
		settings: { executionOrder: 'v1', ...settings },
		types: new Map<string, INodeType>([
			['items', source],
			['later', laterNode(later)],
			['imageGeneration', nodeIn(process)],
			// n8n derives this type from a node that is usable as a tool.
			['imageGenerationTool', nodeIn(process)],
		]),
		start: 'Items',
		caller,
		tables,
	};
}

function resultOf(run: IRun): EngineResult {
	const task = run.data.resultData.runData[NODE]?.at(-1);
	// n8n logs a tool's output under its own connection.
	const [rows, errorRows] = task?.data?.main ?? task?.data?.ai_tool ?? [];
	return {
		run,
		rows: rows ?? [],
		errorRows: errorRows ?? [],
		error: (task?.error ?? run.data.resultData.error) as EngineResult['error'],
	};
}
