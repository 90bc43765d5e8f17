import { settle, unwrap } from '../failures/failures';
import { storedResult } from './entry';
import type { PurchaseRow, StoredRow, TableStep } from './purchaseTable';
import { purchaseIn } from './readRow';
import type { Recording } from './runRecord';
import { OwnRow } from './tableWriter';

/**
 * Makes rows of other runs this run's own.
 * @param otherwise What becomes of them if the table does not answer, because this run may have got them.
 * @returns the ids of those that another run took first
 * @throws if the table does not answer
 */
export async function claim(
	recording: Recording,
	wanted: readonly StoredRow[],
	otherwise: 'stopped' | 'bought' = 'stopped',
): Promise<Set<number>> {
	const { table, process, record } = recording;
	if (wanted.length === 0) return new Set();
	const { lease, writer } = process.knows(table);
	await lease.ensure(table, record.name);
	record.hasRows = true;
	const claimed = await settle(replaceRuns(recording, wanted));
	if ('failure' in claimed) {
		for (const row of wanted) {
			const own = asOwn(recording, row);
			own.row.state = otherwise;
			writer.put(own);
		}
	}
	return unwrap(claimed);
}

/** Puts this run's name into rows, if they are as they were read. The run that told of a row may take it as well. */
async function replaceRuns(
	{ table, record, place }: Recording,
	wanted: readonly StoredRow[],
): Promise<Set<number>> {
	const steps = wanted.map((row): TableStep => {
		const { id, run, state } = row;
		const set = {
			state: stateAsOwn(row),
			execution: place.execution,
			parent: place.parent,
			run: record.name,
		};
		return { which: { id, run, state }, set };
	});
	const changed = await table.change(steps);
	const won = new Set(changed.filter(({ run }) => run === record.name).map(({ id }) => id));
	const others = wanted.flatMap(({ id }) => (won.has(id) ? [] : id));
	const now = await table.find('id', others);
	// One that somebody has deleted or edited meanwhile is no reason to buy.
	const lost = now.filter(({ run }) => run !== '' && run !== record.name);
	return new Set(lost.map(({ id }) => id));
}

/** A row of another run as this run's own. */
export function asOwn({ place, record }: Recording, row: StoredRow): OwnRow {
	const own = new OwnRow({
		...purchaseIn(row),
		execution: place.execution,
		parent: place.parent,
		run: record.name,
		state: stateAsOwn(row),
	});
	own.id = row.id;
	return own;
}

/** The state of a purchase that a run has taken over. */
function stateAsOwn(row: PurchaseRow): 'sent' | 'bought' {
	return storedResult(row) === undefined ? 'sent' : 'bought';
}
