import {
	COLUMNS,
	toCells,
	toPurchase,
	type Column,
} from '../../../nodes/ImageGeneration/recall/logRow';
import { parseResult, storable } from '../../../nodes/ImageGeneration/recall/purchase';
import { resultOf } from '../../support/jobs';
import { purchaseWith } from '../../support/purchaseWith';

const PURCHASE = purchaseWith({
	entry: 'e',
	file: 'a hash',
	round: 2,
	isManual: true,
	time: 0,
});
const columns = Object.keys(COLUMNS) as Column[];
/** What n8n reads of a row of these cells. */
const read = (more: object = {}) => toPurchase({ ...toCells(PURCHASE), id: 3, ...more }, 'a table');

it('a row says what is read again, except the accounts, which no table has', () => {
	expect(read()).toStrictEqual({
		...PURCHASE,
		accounts: [],
		logged: { table: 'a table', rowIds: [3] },
	});
});

it('the columns for people come first', () => {
	expect(Object.keys(toCells(PURCHASE))).toStrictEqual(columns);
	expect(columns.slice(0, 8)).toStrictEqual([
		'image',
		'link',
		'operation',
		'quality',
		'size',
		'workflow',
		'execution',
		'time',
	]);
});

it('cells that do not apply are null, because n8n’s other types take no empty text', () => {
	const bare = purchaseWith({ result: undefined, holder: '', execution: '', file: '' });
	const { link, result, holder, execution, file, manual } = toCells(bare);

	expect([link, result, holder, execution, file, manual]).toStrictEqual(Array(6).fill(null));
});

it('a null character, which PostgreSQL can’t store, is left out', () => {
	const shown = { ...PURCHASE.shown, image: 'A\0 fox' };

	expect(toCells({ ...PURCHASE, shown }).image).toBe('A fox');
});

it('a row without an entry has a name from its id', () => {
	expect(read({ entry: null })?.entry).toBe('row 3');
});

it.each([undefined, null, '3', {}])('a row that n8n finds by no id is none: %p', (id) => {
	expect(read({ id })).toBeUndefined();
});

it('a row of nothing but an id is a purchase of which nothing is known', () => {
	expect(toPurchase({ id: 3 }, 'a table')).toMatchObject({
		entry: 'row 3',
		request: '',
		holder: '',
		round: 0,
		isManual: false,
		time: 0,
		result: undefined,
	});
});

describe.each(columns)('a cell of the column %s', (column) => {
	it.each<[what: string, cell: unknown]>([
		['was cleared', null],
		['came later', undefined],
		['is a number after an import', 12],
		['is a fraction', 0.5],
		['is a date after an import', new Date(NaN)],
		['is nonsense', '={{ $json }}'],
		['is a text with a null character', 'a\0b'],
	])('changes no other one if it %s', (_what, cell) => {
		const now = read({ [column]: cell }) ?? PURCHASE;
		const before: Record<string, unknown> = { ...PURCHASE, ...PURCHASE.shown, accounts: [] };
		const changed = Object.entries({ ...now, ...now.shown })
			.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]))
			.map(([name]) => name);
		const own = ['logged', 'shown', column === 'manual' ? 'isManual' : column];

		expect(changed.filter((name) => !own.includes(name))).toStrictEqual([]);
		expect([now.round, now.time].every(Number.isSafeInteger)).toBe(true);
		expect(now.result === undefined || typeof now.result.output_url === 'string').toBe(true);
	});
});

it('a cleared result still has its link, and a cleared link its result', () => {
	const { output_url } = resultOf('owl');

	expect(read({ result: null })?.result).toStrictEqual({ output_url });
	expect(read({ link: null })?.result).toStrictEqual(resultOf('owl'));
	expect(read({ link: 'see the sheet', result: null })?.result).toBeUndefined();
});

it('a time that somebody typed over is that at which n8n got the row', () => {
	const createdAt = '2026-11-28T12:00:00.000Z';

	expect(read({ time: 'this morning', createdAt })?.time).toBe(Date.parse(createdAt));
});

it('a result of more than 10,000 characters is remembered by its id and link', () => {
	const long = { ...resultOf('owl'), more: 'x'.repeat(10_000) };

	expect(storable(resultOf('owl'))).toStrictEqual(resultOf('owl'));
	expect(storable(long)).toStrictEqual(resultOf('owl'));
});

it.each(['', '{', 'null', '[]', '7', '{"output_url":"none"}'])('%p is no result', (text) => {
	expect(parseResult(text)).toBeUndefined();
});
