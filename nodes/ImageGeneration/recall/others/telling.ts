import { stepsAtEnd } from '../runEnd';
import type { Recording } from '../runRecord';
import { isOpen, type TableStep } from '../table/purchaseTable';
import { storedResult } from '../table/storedResult';
import type { OtherPurchase } from './otherPurchase';
import type { OtherRuns } from './otherRuns';

/**
 * Removes what dead processes would have removed, marks what was cut off, and tells of what nobody has told yet: what
 * was asked for is bought by then.
 * @returns what this run has to tell, and no other one
 * @throws if the table does not answer
 */
export async function tell(recording: Recording, others: OtherRuns): Promise<OtherPurchase[]> {
	const { table, record, common } = recording;
	const { node } = common;
	const purchases = await untold(recording, others);
	await table.remove(others.leftOver());
	if (purchases.every(({ standing }) => standing === 'theirs')) return [];
	await markEnds(
		recording,
		purchases.filter(({ row }) => isOpen(row)),
	);
	// One update, so that one run tells of each row. If people don't read it, the table still shows it.
	const told = await table.change([
		{ which: { node, state: 'stopped' }, set: { state: 'told', run: record.name } },
	]);
	return told
		.filter(({ run }) => run === record.name)
		.map((row) => ({ row, result: storedResult(row), standing: 'free' }));
}

/** The requests without a result that were cut off, and that the next run which buys tells of. */
export async function cutOffRequests(
	recording: Recording,
	others: OtherRuns,
): Promise<OtherPurchase[]> {
	const purchases = await untold(recording, others);
	return purchases.filter(({ result, standing }) => result === undefined && standing !== 'theirs');
}

/** The purchases of which nobody has told yet, also those of runs that go on. */
async function untold(
	{ table, process, common }: Recording,
	others: OtherRuns,
): Promise<OtherPurchase[]> {
	const { node } = common;
	// What own runs have become may not stand there yet.
	await process.stateOf(table).writer.flush(table);
	return await others.judge(
		async () => await table.read({ node, notIn: ['delivered', 'failed', 'told', 'unclear'] }),
	);
}

/** Writes into rows that are still open how their runs ended, unless these are about to do it. */
async function markEnds(
	{ table, process }: Recording,
	open: readonly OtherPurchase[],
): Promise<void> {
	const over = open.filter(
		({ row, standing }) => standing !== 'theirs' && !process.runs.has(row.run),
	);
	const isEnded = ({ standing }: OtherPurchase) => standing === 'ended';
	const delivered = over.filter(isEnded).map(
		({ row: { id, run } }): TableStep => ({
			which: { id, run },
			set: { state: 'delivered' },
		}),
	);
	const runs = new Set(over.filter((each) => !isEnded(each)).map(({ row }) => row.run));
	const cutOff = [...runs].flatMap((run) => stepsAtEnd(run, 'stopped'));
	await table.change([...delivered, ...cutOff]);
}
