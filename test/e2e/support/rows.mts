import assert from 'node:assert/strict';
import type { Execution, Row } from './N8nApi.mjs';

/** All output items of a node at one of its outputs, over all its runs. */
export function rowsOf({ data }: Execution, node: string, output = 0): Row[] {
	const runs = data.resultData.runData[node] ?? [];
	return runs.flatMap((run) => run.data?.main?.[output] ?? []);
}

/** @throws AssertionError with n8n's message if the execution failed */
export function assertSuccess({ status, data }: Execution): void {
	const { error } = data.resultData;
	assert.equal(status, 'success', `${error?.message ?? ''} ${error?.description ?? ''}`);
}
