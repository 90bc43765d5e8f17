import assert from 'node:assert/strict';

/** An output item of a node. */
export interface Row {
	json: Record<string, unknown>;
	binary?: Record<string, StoredFile>;
	pairedItem?: unknown;
}

/** An item's file as n8n stores it: by `id`, or as base64 in `data`. */
export interface StoredFile {
	data: string;
	fileName?: string;
	id?: string;
}

/** One run of a node. */
interface NodeRun {
	executionTime: number;
	data?: Record<string, (Row[] | null)[]>;
	error?: { message: string; description?: string };
	hints?: { message: string }[];
}

/** A finished execution with its nodes' output. */
export interface Execution {
	id: string;
	workflowId: string;
	status: string;
	mode: string;
	/** The execution that a Retry repeats. */
	retryOf?: string | number | null;
	data: {
		resultData: {
			runData: Partial<Record<string, NodeRun[]>>;
			error?: { message: string; description?: string };
			/** The execution's custom data. */
			metadata?: Record<string, string>;
		};
	};
}

/** States of an unfinished execution. */
export const pending = ['new', 'running', 'waiting'];

/**
 * All output items of a node at one of its outputs, over all its runs. After a crash, n8n 2.41.1 gives an
 * item of its own to each node that its event log names, and Retry keeps it.
 */
export function rowsOf({ data }: Execution, node: string, output = 0): Row[] {
	const runs = data.resultData.runData[node] ?? [];
	const rows = runs.flatMap((run) => run.data?.main?.[output] ?? []);
	return rows.filter(({ json }) => json.isArtificialRecoveredEventItem !== true);
}

/** The image of an output item: beside its JSON, or inside it in a workflow with combined files. */
export function imageOf({ json, binary }: Row): StoredFile | undefined {
	return (binary ?? (json._files as Row['binary']))?.data;
}

/** The ids of the jobs that a node delivered. */
export function idsIn(execution: Execution, node: string): string[] {
	return rowsOf(execution, node).map(({ json }) => String(json.id));
}

/** The hints of a node, over all its runs. */
export function hintsOf({ data }: Execution, node: string): string {
	const runs = data.resultData.runData[node] ?? [];
	const hints = runs.flatMap((run) => run.hints ?? []);
	return hints.map(({ message }) => message).join('\n');
}

/** @throws AssertionError with n8n's message if the execution failed */
export function assertSuccess({ status, data }: Execution): void {
	const { error } = data.resultData;
	assert.equal(status, 'success', `${error?.message ?? ''} ${error?.description ?? ''}`);
}
