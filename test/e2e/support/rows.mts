import assert from 'node:assert/strict';
import type { Execution, Row } from './N8nApi.mjs';

/** What a node gave out at one of its outputs, over all of its runs. */
export function rowsOf({ data }: Execution, node: string, output = 0): Row[] {
	const runs = data.resultData.runData[node] ?? [];
	return runs.flatMap((run) => run.data?.main?.[output] ?? []);
}

/** @throws AssertionError with n8n's words when it did not end well */
export function assertSuccess({ status, data }: Execution): void {
	const { error } = data.resultData;
	assert.equal(status, 'success', `${error?.message ?? ''} ${error?.description ?? ''}`);
}
