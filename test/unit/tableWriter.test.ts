import type { PurchaseRow } from '../../nodes/ImageGeneration/recall/purchaseTable';
import { purchaseIn } from '../../nodes/ImageGeneration/recall/readRow';
import { stepsAtEnd } from '../../nodes/ImageGeneration/recall/runRecord';
import { insertRow, OwnRow, TableWriter } from '../../nodes/ImageGeneration/recall/tableWriter';
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
		Object.assign(row.row, more);
		writer.put(row);
	};
	const flush = async () => {
		await writer.flush(log.table);
	};
	return { log, writer, own, note, flush };
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
		const { log, own, note, flush } = await writing();
		own.isGone = true;
		note(own, {});
		log.fail(when);
		await expect(flush()).rejects.toThrow('The table is away.');
		await flush();

		expect(log.rows).toStrictEqual([]);
	});

	it('takes no row that nobody knows to be there, if its request was not charged', async () => {
		const { log, note, flush } = await writing();
		const next = ownRow('b');
		log.fail(when);
		await expect(insertRow(log.table, next)).rejects.toThrow();
		next.isGone = true;
		note(next, {});
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

it('a row of another run stays as it is, even if this one stood still and now writes', async () => {
	const { log, own, note, flush } = await writing();
	log.edit(1, { run: 'there.2', state: 'delivered', link: 'https://example.com/b' });
	note(own, BOUGHT);
	await flush();

	expect(log.rows).toMatchObject([
		{ run: 'there.2', state: 'delivered', link: 'https://example.com/b' },
	]);
});

it('a result that comes after another run has told of its request stands in a row of its own', async () => {
	const { log, own, note, flush } = await writing();
	const told = { run: 'there.2', state: 'told', link: '' } as const;
	log.edit(1, told);
	note(own, BOUGHT);
	await flush();
	const added = { id: 2, run: 'here.1', ...BOUGHT };
	expect(log.rows).toMatchObject([told, added]);
	expect(log.rows[1]?.entry).not.toBe('a');

	note(own, { state: 'stopped' });
	await flush();
	expect(log.rows).toMatchObject([told, { ...added, state: 'stopped' }]);
});

it('a row that somebody deleted by hand is added again', async () => {
	const { log, own, note, flush } = await writing();
	await log.table.remove([1]);
	note(own, BOUGHT);
	await flush();

	expect(log.rows).toMatchObject([{ id: 2, entry: 'a', ...BOUGHT }]);
	note(own, { state: 'stopped' });
	await flush();
	expect(log.rows).toMatchObject([{ id: 2, state: 'stopped' }]);
});

it('what becomes of a row while it is written is written next', async () => {
	const { log, own, note, flush } = await writing();
	note(own, BOUGHT);
	const first = flush();
	await Promise.resolve();
	note(own, { state: 'stopped' });
	await Promise.all([first, flush()]);

	expect(log.rows).toMatchObject([{ state: 'stopped' }]);
});

it('many rows go in one call, and nothing to write takes none', async () => {
	const { log, note, flush } = await writing();
	await flush();
	expect(log.calls).toStrictEqual([]);

	const many = Array.from({ length: 50 }, (_, index) => ownRow(`row ${index}`));
	for (const own of many) await insertRow(log.table, own);
	log.calls.splice(0);
	for (const own of many) note(own, BOUGHT);
	await flush();
	expect(log.calls).toStrictEqual(['change']);
});

it('a writer knows which rows of a run the table lacks', async () => {
	const { log, writer, own, note, flush } = await writing();
	const other = ownRow('of another run', { run: 'here.2' });
	const free = ownRow('free');
	free.isGone = true;
	for (const each of [own, other, free]) note(each, {});
	log.fail('before');
	await expect(flush()).rejects.toThrow();
	expect(writer.rowsOf('here.1')).toStrictEqual([own]);

	await flush();
	expect(writer.rowsOf('here.1')).toStrictEqual([]);
});

it('a table that was deleted and made again gets a row whose id is another row’s there', async () => {
	const { log, own, note, flush } = await writing();
	log.edit(own.id ?? 0, { entry: 'b', run: 'elsewhere.1' });
	note(own, BOUGHT);
	await flush();

	expect(log.rows).toMatchObject([{ entry: 'b' }, { entry: 'a', ...BOUGHT }]);
});
