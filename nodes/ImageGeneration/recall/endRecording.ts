import { settle, waitForAll } from '../failures/outcome';
import type { Job } from '../types';
import type { PurchaseRow, PurchaseState } from './purchaseTable';
import type { RecordingRun } from './recordingRun';

/**
 * How an attempt of a run ended: `undelivered` without its images in the output, as a failure or a Dry
 * Run; `repeated` if n8n starts another attempt, which goes on with the run's rows.
 */
export type RunEnd = 'delivered' | 'undelivered' | 'stopped' | 'repeated';

/** Writes how a run ended, and what it told. */
export async function endRecording(
	{ table, process, place: { run }, rows, signal, onMissing }: RecordingRun,
	how: RunEnd,
): Promise<void> {
	const { writes, unwritten, isUnsure } = rows;
	const told = rows.told.splice(0);

	/** Writes a row once more, unless it has arrived all the same. */
	async function writeAgain(row: PurchaseRow): Promise<void> {
		const same = [['entry', 'eq', row.entry] as const, ['link', 'eq', row.link] as const];
		const found = await settle(table.read(same));
		const isMissing = 'value' in found && found.value.length === 0;
		const outcome = isMissing ? await settle(table.insert(row)) : found;
		if ('failure' in outcome) onMissing(row.image, outcome.failure);
	}

	/** Leaves the run's rows to others, except those of which another run has told. */
	async function release(...reported: PurchaseState[]): Promise<void> {
		const untold = reported.map((each) => ['state', 'neq', each] as const);
		await table.update([['run', 'eq', run], ...untold], { state: 'stopped' });
	}

	/** The `sent` rows may go only after all others are written. */
	async function close(state: PurchaseState): Promise<void> {
		if (state === 'stopped') {
			await release('reported', 'unclear');
			return;
		}
		const tell = async ([job, row]: [Job, PurchaseRow]) => {
			await table.insert({ ...row, state: 'unclear' });
			rows.unsettled.delete(job);
		};
		await waitForAll([...rows.unsettled].map(tell));
		await table.close(run, state, () => unwritten.length === 0);
	}

	/** Records that the user has been told, or not if n8n drops what the run says. */
	async function closeTold(): Promise<void> {
		const unclear = told.filter(({ link }) => link === '');
		const reported = told.filter(({ link }) => link !== '');
		const asTold = (state: PurchaseState) =>
			({ state: signal.aborted ? 'stopped' : state }) as const;
		await waitForAll([
			table.pass(unclear, asTold('unclear')),
			table.pass(reported, asTold('reported')),
		]);
	}

	if (how === 'stopped' || isUnsure) await Promise.all(writes);
	const wrapUp = async () => {
		await Promise.all(unwritten.splice(0).map(writeAgain));
		if (how === 'repeated' || rows.lasting === undefined) return;
		await close(isUnsure ? 'stopped' : how);
	};
	const early = await settle(wrapUp());
	await Promise.all(writes);
	const closed = unwritten.length === 0 ? early : await settle(wrapUp());
	if (how === 'repeated') return;
	await settle(closeTold());
	// n8n drops the output of a node that is stopped while it still writes (2.40.3, 1.123.81).
	const isDropped = how !== 'stopped' && signal.aborted;
	const withdrawn = async () => await Promise.all([release('reported'), closeTold()]);
	const last = isDropped ? await settle(withdrawn()) : closed;
	process.live.delete(run);
	if ('failure' in last) onMissing(undefined, last.failure);
}
