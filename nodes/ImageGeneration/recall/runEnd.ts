import { settle } from '../failures/failures';
import type { AttemptEnd, Recording } from './runRecord';
import type { PurchaseRow, PurchaseState, TableStep } from './table/purchaseTable';

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
	const { table, process, record } = recording;
	if (record.hasRows) await writeEnd(recording, how);
	process.end(record.name);
	await settle(process.stateOf(table).lease.release(table));
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

/**
 * Marks what the execution's runs of this node left as they ended by themselves, because it does not end well: it
 * failed, or was stopped. n8n may have stored what a failed one delivered. It stores nothing of one that is stopped
 * (2.41.1), and drops the output of a node that still writes how it ended (2.41.1, 1.123.81).
 */
export async function takeBack(
	{ table, process, common, onMissing }: Recording,
	as: 'failed' | 'stopped',
): Promise<void> {
	const { node, execution } = common;
	if (execution === '') return;
	const { writer } = process.stateOf(table);
	const states: PurchaseState[] =
		as === 'stopped' ? ['delivered', 'failed', 'unclear'] : ['delivered'];
	const steps = states.map((state): TableStep => {
		return { which: { node, execution, process: process.name, state }, set: { state: as } };
	});
	writer.add(...steps);
	const written = await settle(writer.flush(table));
	if ('failure' in written) onMissing(undefined, written.failure);
}
