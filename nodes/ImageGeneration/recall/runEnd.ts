import { settle } from '../failures/failures';
import type { PurchasingProcess } from './process/process';
import type { AttemptEnd, Recording, RunRecord } from './runRecord';
import {
	stoppedWhere,
	type PurchaseRow,
	type PurchaseState,
	type TableStep,
} from './table/purchaseTable';

/** How a run ended. */
type RunEnd = Exclude<AttemptEnd, 'continued'>;

/**
 * What becomes of a run's request as it ends. One without a result becomes `stopped` where its purchases do,
 * and `unclear` otherwise.
 */
function stateAtEnd({ link }: Pick<PurchaseRow, 'link'>, how: RunEnd): PurchaseState {
	return link === '' && how !== 'stopped' ? 'unclear' : how;
}

/** What becomes of all rows of a run as it ends. */
export function stepsAtEnd(run: string, how: RunEnd): TableStep[] {
	return [
		{ which: { run, state: 'sent' }, set: { state: stateAtEnd({ link: '' }, how) } },
		{ which: { run, state: 'bought' }, set: { state: how } },
	];
}

/** Records how a run ended. What the table does not take, the next run writes. */
export async function endRun(recording: Recording, how: RunEnd): Promise<void> {
	const { table, process, record, signal } = recording;
	if (record.hasRows) await writeEnd(recording, how);
	process.end(record.name);
	await settle(process.stateOf(table).lease.release(table));
	// n8n drops the output of a node that is stopped while it still writes how it ended (2.41.1, 1.123.81).
	if (record.hasRows && how !== 'stopped' && signal.aborted) await takeBack(recording, how);
	record.rows.clear();
}

async function writeEnd(recording: Recording, how: RunEnd): Promise<void> {
	const { table, process, record, onMissing } = recording;
	const { writer } = process.stateOf(table);
	writer.add(...stepsAtEnd(record.name, how));
	const written = await settle(writer.flush(table));
	if ('value' in written) return;
	// The next run adds them if the table has been deleted meanwhile.
	const rows = [...record.rows].filter(({ isGone }) => !isGone);
	for (const own of rows) {
		own.row.state = stateAtEnd(own.row, how);
		writer.put(own);
		onMissing(own.row.image, written.failure);
	}
	onMissing(undefined, written.failure);
}

async function takeBack(recording: Recording, how: 'delivered' | 'failed'): Promise<void> {
	const { table, process, record, onMissing } = recording;
	const { writer } = process.stateOf(table);
	const run = record.name;
	writer.add(stoppedWhere({ run, state: how }), stoppedWhere({ run, state: 'unclear' }));
	const written = await settle(writer.flush(table));
	if ('failure' in written) onMissing(undefined, written.failure);
}

/**
 * Marks what earlier runs of the execution delivered, because it did not end well. n8n may have stored what
 * a failed one delivered, and has stored nothing of one that was stopped.
 */
export async function takeBackDelivered(
	{ table, process, place }: Recording,
	as: 'failed' | 'stopped',
): Promise<void> {
	const { node, execution } = place;
	if (execution === '') return;
	const { writer } = process.stateOf(table);
	const rows = { node, execution, process: process.name };
	writer.add({ which: { ...rows, state: 'delivered' }, set: { state: as } });
	if (as === 'stopped') writer.add(stoppedWhere({ ...rows, state: 'unclear' }));
	await settle(writer.flush(table));
}

/**
 * Ends a run whose last attempt could not be prepared. What earlier ones bought becomes `stopped`, which is
 * there for whoever comes first: Retry, or the next run.
 */
export async function abandon(process: PurchasingProcess, record: RunRecord): Promise<void> {
	const { name, table, hasRows } = record;
	process.end(name);
	if (table === undefined || !hasRows) return;
	const { lease, writer } = process.stateOf(table);
	writer.add(...stepsAtEnd(name, 'stopped'));
	await settle(writer.flush(table));
	await settle(lease.release(table));
}
