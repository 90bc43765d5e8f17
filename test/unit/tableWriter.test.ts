import {
	insertRow,
	OwnRow,
	TableWriter,
} from '../../nodes/ImageGeneration/recall/process/tableWriter';
import { stepsAtEnd } from '../../nodes/ImageGeneration/recall/runEnd';
import type { PurchaseRow } from '../../nodes/ImageGeneration/recall/table/purchaseTable';
import { purchaseIn } from '../../nodes/ImageGeneration/recall/table/readRow';
import { memoryTable, storedRow } from '../support/memoryTable';

const ownRow = (entry = 'a', more: Partial<PurchaseRow> = {}) =>
	new OwnRow(purchaseIn(storedRow({ entry, run: 'here.1', state: 'sent', link: '', ...more })));

/** A run's writer, and a row that the table has. */
async function writing() {
	const log = memoryTable();
	const writer = new TableWriter();
	const own = ownRow();
	await insertRow(log.table, own);
	log.calls.splice(0);
	/** Notes what has become of a row. */
	const note = (row: OwnRow, more: Partial<PurchaseRow>) => {
		row.become(more);
		writer.put(row);
	};
	/** Its request was definitely not charged. */
	const discard = (row: OwnRow) => {
		row.vanish();
		writer.put(row);
	};
	const flush = async () => {
		await writer.flush(log.table);
	};
	return { log, writer, own, note, discard, flush };
}

const BOUGHT = { state: 'bought', link: 'https://example.com/a' } as const;

describe.each(['before', 'after'] as const)('a table that is away %s it makes a change', (when) => {
	it('gets the row once, with the next flush', async () => {
		const { log, note, flush } = await writing();
		const next = ownRow('b');
		log.fail(when);
		await expect(insertRow(log.table, next)).rejects.toThrow('The table is away.');
		note(next, BOUGHT);
		await flush();

		expect(log.rows).toMatchObject([{ entry: 'a' }, { entry: 'b', ...BOUGHT }]);
	});

	it('gets what has become of a row with the next flush', async () => {
		const { log, own, note, flush } = await writing();
		note(own, BOUGHT);
		log.fail(when);
		await expect(flush()).rejects.toThrow('The table is away.');
		await flush();
		await flush();

		expect(log.rows).toMatchObject([{ entry: 'a', ...BOUGHT }]);
	});

	it('loses the row of a request that was not charged with the next flush', async () => {
		const { log, own, discard, flush } = await writing();
		discard(own);
		log.fail(when);
		await expect(flush()).rejects.toThrow('The table is away.');
		await flush();

		expect(log.rows).toStrictEqual([]);
	});

	it('takes no row that nobody knows to be there, if its request was not charged', async () => {
		const { log, discard, flush } = await writing();
		const next = ownRow('b');
		log.fail(when);
		await expect(insertRow(log.table, next)).rejects.toThrow();
		discard(next);
		await flush();

		expect(log.rows).toMatchObject([{ entry: 'a' }]);
	});

	it('takes the end of a run with the next flush, and what follows after it', async () => {
		const { log, writer, flush } = await writing();
		writer.add(...stepsAtEnd('here.1', 'delivered'));
		log.fail(when);
		await expect(flush()).rejects.toThrow('The table is away.');
		writer.add({ which: { run: 'here.1', state: 'unclear' }, set: { state: 'told' } });
		await flush();

		expect(log.rows).toMatchObject([{ state: 'told' }]);
	});
});

it('rows are written before the steps that concern many rows', async () => {
	const { log, writer, own, note, flush } = await writing();
	writer.add(...stepsAtEnd('here.1', 'delivered'));
	note(own, BOUGHT);
	note(ownRow('b'), BOUGHT);
	await flush();

	expect(log.rows.map(({ state }) => state)).toStrictEqual(['delivered', 'delivered']);
});

it('the end of a run that comes while other rows are written does not overtake the rows of that run', async () => {
	const { log, writer, own, note, flush } = await writing();
	const next = ownRow('b', { run: 'here.2' });
	await insertRow(log.table, next);
	note(own, BOUGHT);
	const first = flush();
	await Promise.resolve();
	note(next, BOUGHT);
	const second = flush();
	writer.add(...stepsAtEnd('here.2', 'delivered'));
	await Promise.all([first, second, flush()]);

	expect(log.rows.map(({ state }) => state)).toStrictEqual(['bought', 'delivered']);
});

it('a result that comes after another run has told of its request replaces the row that says so', async () => {
	const { log, own, note, flush } = await writing();
	log.edit(1, { run: 'there.2', state: 'told' });
	note(own, BOUGHT);
	await flush();

	expect(log.rows).toMatchObject([{ id: 2, entry: 'a', run: 'here.1', ...BOUGHT }]);
});

it('a row that somebody deleted by hand is added again', async () => {
	const { log, own, note, flush } = await writing();
	await log.table.remove([1]);
	note(own, BOUGHT);
	await flush();

	expect(log.rows).toMatchObject([{ id: 2, entry: 'a', ...BOUGHT }]);
});

it('a new row is there before the old one goes, whenever the table is away', async () => {
	const { log, own, note, flush } = await writing();
	note(own, BOUGHT);
	const remove = jest.spyOn(log.table, 'remove').mockRejectedValueOnce(new Error('Away.'));
	await expect(flush()).rejects.toThrow('Away.');
	expect(log.rows).toMatchObject([
		{ id: 1, link: '' },
		{ id: 2, ...BOUGHT },
	]);

	await flush();
	expect(log.rows).toMatchObject([{ id: 2, ...BOUGHT }]);
	expect(remove).toHaveBeenCalledTimes(2);
});

it('nothing to write takes no call', async () => {
	const { log, flush } = await writing();
	await flush();

	expect(log.calls).toStrictEqual([]);
});

describe('a table that was deleted and made again', () => {
	/** The same table, as a later run opens it. */
	const reopened = (log: ReturnType<typeof memoryTable>) => ({ ...log.table, id: 'second' });

	it('gets a row, and keeps that of another run with the same id', async () => {
		const { log, writer, own, note } = await writing();
		note(own, BOUGHT);
		log.edit(1, { entry: 'b', run: 'elsewhere.1' });
		await writer.flush(reopened(log));

		expect(log.rows).toMatchObject([{ entry: 'b' }, { entry: 'a', ...BOUGHT }]);
	});

	it('loses no row of another run with the id of a request that was not charged', async () => {
		const { log, writer, own, discard } = await writing();
		discard(own);
		log.edit(1, { entry: 'b', run: 'elsewhere.1' });
		await writer.flush(reopened(log));

		expect(log.rows).toMatchObject([{ entry: 'b' }]);
	});

	it('gets no row twice if it has them, because somebody has imported it', async () => {
		const { log, writer, own, note, flush } = await writing();
		note(own, BOUGHT);
		await flush();
		writer.put(own);
		await writer.flush(reopened(log));

		expect(log.rows).toMatchObject([{ id: 2, entry: 'a', ...BOUGHT }]);
	});
});
