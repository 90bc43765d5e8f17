import {
	COLUMNS,
	STATES,
	type StoredRow,
} from '../../nodes/ImageGeneration/recall/table/purchaseTable';
import { readRow, toCells } from '../../nodes/ImageGeneration/recall/table/readRow';
import { storedRow } from '../support/memoryTable';

const ROW = storedRow({ id: 3 });
/** A row as n8n returns it. */
const cells = (more: object = {}) => ({ ...ROW, ...more });
const columns = Object.keys(COLUMNS) as Array<keyof StoredRow>;
const texts = columns.filter((column) => column !== 'state');

describe('a row', () => {
	it('is read as it was written', () => {
		expect(readRow(cells())).toStrictEqual(ROW);
	});

	it.each([...STATES])('is one of the purchases in state %s', (state) => {
		expect(readRow(cells({ state }))?.state).toBe(state);
	});

	it.each([undefined, null, '', 'done', 'Delivered', ' sent', 7, true, {}, new Date(0)])(
		'of no state that the node knows counts as none: %p',
		(state) => {
			expect(readRow(cells({ state }))).toBeUndefined();
		},
	);

	it.each([undefined, null, '3', {}])('that no id finds counts as none: %p', (id) => {
		expect(readRow(cells({ id }))).toBeUndefined();
	});

	it('may have columns of its owner', () => {
		expect(readRow(cells({ paidBy: 'Marketing' }))).toStrictEqual(ROW);
	});
});

describe.each(texts)('a cell of the column %s', (column) => {
	it.each<[what: string, cell: unknown, read: string]>([
		['that was cleared is empty', null, ''],
		['of a column that came later is empty', undefined, ''],
		['that import made a number is a text', 12, '12'],
		['that is zero is a text', 0, '0'],
		['that is false is a text', false, 'false'],
		['that import made a date is a time', new Date(0), '1970-01-01T00:00:00.000Z'],
		['of nonsense is read as it stands', '={{ $json }}', '={{ $json }}'],
	])('%s', (_what, cell, read) => {
		expect(readRow(cells({ [column]: cell }))).toStrictEqual({ ...ROW, [column]: read });
	});
});

describe('the cells to write', () => {
	it('are null where there is nothing, because a column of numbers takes no empty text', () => {
		const empty = Object.fromEntries(texts.map((column) => [column, '']));

		expect(toCells(empty)).toStrictEqual(Object.fromEntries(texts.map((column) => [column, null])));
	});

	it('say what is read again', () => {
		const row = storedRow({ link: '', result: '', parent: '12' });
		const { id, createdAt, updatedAt } = row;

		expect(readRow({ ...toCells(row), id, createdAt, updatedAt })).toStrictEqual(row);
	});
});
