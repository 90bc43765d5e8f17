import { settle, waitForAll } from '../failures/failures';
import type { PurchaseRow, PurchaseState } from './purchaseTable';
import type { Recording } from './recordingRun';

/**
 * How an attempt of a run ended: `undelivered` without its images in the output, as a failure or a Dry
 * Run; `repeated` if n8n starts another attempt, which goes on with the run's rows.
 */
export type RunEnd = 'delivered' | 'undelivered' | 'stopped' | 'repeated';

/** Writes how a run ended, and what it told. */
export async function endRecording(
	{ table, process, run, signal, onMissing }: Recording,
	how: RunEnd,
): Promise<void> {
	const { writes, unwritten, unsettled } = run;
	const told = run.told.splice(0);

	/** Writes a row once more, unless it has arrived all the same. */
	async function writeAgain(row: PurchaseRow): Promise<void> {
		const found = await settle(table.read({ entry: row.entry, link: row.link }));
		const isMissing = 'value' in found && found.value.length === 0;
		const outcome = isMissing ? await settle(table.insert(row)) : found;
		if ('failure' in outcome) onMissing(row.image, outcome.failure);
	}

	/** Waits for all rows. @returns whether it had to write any of them once more */
	async function complete(): Promise<boolean> {
		await Promise.all(writes);
		const again = unwritten.splice(0);
		await Promise.all(again.map(writeAgain));
		return again.length > 0;
	}

	/** Leaves the run's rows to others, except those of which another run has told. */
	async function release(...reported: PurchaseState[]): Promise<void> {
		await table.update({ run: run.name, notIn: reported }, { state: 'stopped' });
	}

	/** Records that the user has been told, or not if n8n drops what the run says. */
	async function closeTold(): Promise<void> {
		const asTold = (link: string) => (link === '' ? 'unclear' : 'reported');
		await table.pass(told, ({ link }) => ({ state: signal.aborted ? 'stopped' : asTold(link) }));
	}

	const isLeft = how === 'stopped' || run.isUnsure;
	if (isLeft || how === 'repeated') await complete();
	if (how === 'repeated') return;
	/** The `sent` rows may go only after all others are written. */
	const close = async (): Promise<void> => {
		const unclear = [...unsettled.values()].map((row) => ({ ...row, state: 'unclear' }) as const);
		await waitForAll(unclear.map(async (row) => await table.insert(row)));
		unsettled.clear();
		await table.close(run.name, how, () => unwritten.length === 0);
	};
	const end = async (): Promise<void> => {
		if (run.lasting === undefined) return;
		await (isLeft ? release('reported', 'unclear') : close());
	};
	// The end goes with the last rows, unless one of them was not written.
	const early = await settle(end());
	const ended = (await complete()) ? await settle(end()) : early;
	if (how !== 'stopped') await settle(closeTold());
	// n8n drops the output of a node that is stopped while it still writes (2.40.3, 1.123.81).
	const isDropped = how !== 'stopped' && signal.aborted;
	const last = isDropped ? await settle(waitForAll([release('reported'), closeTold()])) : ended;
	process.live.delete(run.name);
	if ('failure' in last) onMissing(undefined, last.failure);
}
