import assert from 'node:assert/strict';
import type { LedgerEntry } from '../../../sandbox/index.js';
import type { Fixture } from './fixture.mjs';
import { until } from './until.mjs';

/** A run whose process ended. */
export interface LostRun {
	workflowId: string;
	/** The finished image. */
	purchase: LedgerEntry | undefined;
	/** What n8n's process has logged. */
	logText: string;
	/** The state in which n8n leaves the execution. */
	status: string;
}

/** Asserts that n8n's log names the finished image, and the execution does not. @returns its id */
export async function assertOnlyLogNames(
	{ api }: Fixture,
	{ workflowId, purchase, logText, status: expected }: LostRun,
): Promise<string> {
	assert.ok(purchase?.outputUrl);
	assert.ok(logText.includes(`was bought: ${purchase.outputUrl}`));
	let id: string | undefined;
	await until(`n8n marks the execution as ${expected}`, async () => {
		const all = await api.executions(workflowId);
		id = all.find(({ status }) => status === expected)?.id;
		return id !== undefined;
	});
	const execution = await api.execution(id ?? '');
	assert.ok(!JSON.stringify(execution).includes(purchase.outputUrl));
	return execution.id;
}
