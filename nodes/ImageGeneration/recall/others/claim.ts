import { beginWriting, type Recording } from '../runRecord';
import type { StoredRow, TableStep } from '../table/purchaseTable';
import { storedResult } from '../table/storedResult';

/**
 * Makes rows of other runs this run's own, if they are as they were read.
 * @returns the ids of those that another run took, or changed, first
 * @throws if the table does not answer
 */
export async function claim(
	recording: Recording,
	wanted: readonly StoredRow[],
): Promise<Set<number>> {
	if (wanted.length === 0) return new Set();
	await beginWriting(recording);
	const { table, record, common } = recording;
	const { execution, parent } = common;
	const steps = wanted.map((row): TableStep => {
		const { id, run, state } = row;
		const isAnswered = storedResult(row) !== undefined;
		const set = {
			state: isAnswered ? 'bought' : 'sent',
			execution,
			parent,
			run: record.name,
		} as const;
		return { which: { id, run, state }, set };
	});
	const changed = await table.change(steps);
	// n8n reads rows again after it has changed them, and another run may have taken one by then (2.41.1).
	const won = new Set(changed.filter(({ run }) => run === record.name).map(({ id }) => id));
	const others = wanted.flatMap(({ id }) => (won.has(id) ? [] : id));
	const now = await table.find('id', others);
	// One that is gone, or whose run somebody has cleared, is no reason to buy. Others are judged again.
	const lost = now.filter(({ run }) => run !== '' && run !== record.name);
	return new Set(lost.map(({ id }) => id));
}
