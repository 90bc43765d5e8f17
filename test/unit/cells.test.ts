import {
	COLUMNS,
	toCells,
	toPurchase,
	type Column,
} from '../../nodes/ImageGeneration/recall/log/cells';
import { STATES } from '../../nodes/ImageGeneration/recall/purchase';
import { resultOf } from '../support/jobs';
import { purchaseWith } from '../support/purchases';

const PURCHASE = purchaseWith({
	entry: 'e',
	run: 'there.1',
	parent: '6',
	time: 0,
	taken: 2,
	told: true,
});
const CHANGED = '2026-11-28T12:00:00.000Z';
const ROW = { table: 'a table', id: 3, state: 'delivered', changed: Date.parse(CHANGED) };
const columns = Object.keys(COLUMNS) as Column[];
/** A row as n8n returns it. */
const cells = (more: object = {}) => ({
	...toCells(PURCHASE),
	id: 3,
	updatedAt: CHANGED,
	...more,
});
const read = (more: object = {}) => toPurchase('a table', cells(more));

it('a row says what is read again, but for the accounts, which no table has', () => {
	const row = { ...ROW, state: PURCHASE.state };
	expect(read()).toStrictEqual({ ...PURCHASE, accounts: [], row });
	expect(Object.keys(toCells(PURCHASE))).toStrictEqual(columns);
});

it('cells that do not apply are null, because n8n’s other types take no empty text', () => {
	const { told, taken, parent, file, link, result } = toCells(
		purchaseWith({ result: undefined, parent: '', file: '' }),
	);

	expect([told, taken, parent, file, link, result]).toStrictEqual(Array(6).fill(null));
});

it('a null character, which PostgreSQL can’t store, is left out', () => {
	const shown = { ...PURCHASE.shown, image: 'A\0 fox' };

	expect(toCells({ ...PURCHASE, shown }).image).toBe('A fox');
});

it.each([...STATES])('a row in state %s is a purchase', (state) => {
	expect(read({ state })?.state).toBe(state);
});

it.each([undefined, null, '', 'done', 'Delivered', ' sent', 7, true, {}])(
	'a row in a state that the node does not know is none: %p',
	(state) => {
		expect(read({ state })).toBeUndefined();
	},
);

it.each([undefined, null, '3', {}])('a row that n8n finds by no id is none: %p', (id) => {
	expect(read({ id })).toBeUndefined();
});

describe.each(columns.filter((column) => column !== 'state'))(
	'a cell of the column %s',
	(column) => {
		it.each<[what: string, cell: unknown]>([
			['was cleared', null],
			['came later', undefined],
			['is a number after an import', 12],
			['is a date after an import', new Date(0)],
			['is nonsense', '={{ $json }}'],
			['is a text with a null character', 'a\0b'],
		])('changes no other one if it %s', (_what, cell) => {
			const { taken, result, time, shown, ...rest } = read({ [column]: cell }) ?? PURCHASE;
			const changed = Object.entries({ ...rest, ...shown }).filter(
				([name, value]) => value !== { ...PURCHASE, ...PURCHASE.shown }[name as 'entry'],
			);
			const own = [column, 'accounts', 'row'];

			expect(changed.filter(([name]) => !own.includes(name))).toStrictEqual([]);
			expect([taken, time].every(Number.isFinite)).toBe(true);
			expect(result === undefined || typeof result.output_url === 'string').toBe(true);
		});
	},
);

it('a cleared result still has its link, and a cleared link its result', () => {
	expect(read({ result: null })?.result).toStrictEqual({
		output_url: resultOf('owl').output_url,
	});
	expect(read({ link: null })?.result).toStrictEqual(resultOf('owl'));
	expect(read({ link: 'see the sheet', result: null })?.result).toBeUndefined();
});

it('a time that somebody edited is that at which n8n got the row', () => {
	const createdAt = '2026-11-28T12:00:00.000Z';

	expect(read({ time: 'this morning', createdAt })?.time).toBe(Date.parse(createdAt));
});
