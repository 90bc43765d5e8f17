import { isOfOtherRun, isTakenFrom, type Purchase } from '../purchase';
import { toCells, type Column, type LoggedPurchase } from './cells';
import type { Condition, TableStep } from './tableSteps';

/** A purchase as a table should show it. */
export interface Write {
	purchase: Purchase;
	/** Whether it should have a row: a request that was definitely not charged has none. */
	isWanted: boolean;
	/** The state in which it was read, if another process may have written since. */
	readAs?: Purchase['state'];
}

/** The columns that the node itself reads. People may edit the others. */
const OWN: readonly Column[] = [
	'link',
	'state',
	'execution',
	'parent',
	'request',
	'file',
	'run',
	'told',
	'taken',
	'result',
];

/**
 * A change that the table needs:
 * - `add`: it has no row, because somebody deleted it, or the log is new.
 * - `change`: the row says something else.
 * - `lost`: another run has made the purchase its own.
 */
export type Step = 'nothing' | 'add' | 'change' | 'remove' | 'lost';

export function stepFor(
	{ purchase, isWanted, readAs }: Write,
	row: LoggedPurchase | undefined,
	isLive: boolean,
): Step {
	if (readAs !== undefined && readAs !== row?.state) return 'nothing';
	if (row === undefined) return isWanted ? 'add' : 'nothing';
	if (isOfOtherRun(row, purchase.run)) {
		return isTakenFrom(purchase, row) && !isLive ? 'lost' : 'nothing';
	}
	if (!isWanted) return 'remove';
	return differences(purchase, row).length === 0 ? 'nothing' : 'change';
}

/** Says of all purchases of a run that it has delivered them. */
export function deliveredBy(run: string): TableStep {
	return {
		which: [
			['run', 'eq', run],
			['state', 'eq', 'bought'],
		],
		set: { state: 'delivered' },
	};
}

export interface Change {
	purchase: Purchase;
	row: LoggedPurchase;
	/** See {@link Write}. */
	readAs: Write['readAs'];
}

function differences(purchase: Purchase, row: Purchase): Column[] {
	const wanted = toCells(purchase);
	const found = toCells(row);
	return OWN.filter((column) => wanted[column] !== found[column]);
}

/**
 * Changes one row, unless another run has made it its own.
 * @param readAs The state that it must have besides.
 */
export function changeOf(
	purchase: Purchase,
	{ row, run }: LoggedPurchase,
	readAs: Write['readAs'],
): TableStep {
	const cells = toCells(purchase);
	const isIn: Condition[] = readAs === undefined ? [] : [['state', 'eq', readAs]];
	return {
		which: [['id', 'eq', row.id], ['run', 'eq', run], ...isIn],
		set: Object.fromEntries(OWN.map((column) => [column, cells[column]])),
	};
}

/**
 * The steps that make the changes: one each, but one for all purchases of a run that end in the same way. If they end in
 * several ways, the most frequent one comes last.
 * @param hasAll Whether the changes include all purchases of a row's run that are in its state.
 */
export function stepsFor(
	changes: readonly Change[],
	hasAll: (row: LoggedPurchase) => boolean,
): TableStep[] {
	const single: TableStep[] = [];
	const ends = new Map<string, Map<string, Change[]>>();
	for (const change of changes) {
		const { purchase, row } = change;
		const changed = differences(purchase, row);
		if (!changed.includes('state') || changed.some((column) => !END.includes(column))) {
			single.push(changeOf(purchase, row, change.readAs));
			continue;
		}
		const from = `${row.run} ${row.state}`;
		const to = `${purchase.state} ${purchase.told}`;
		const alike = ends.get(from) ?? new Map<string, Change[]>();
		ends.set(from, alike.set(to, [...(alike.get(to) ?? []), change]));
	}
	const together: TableStep[] = [];
	for (const alike of ends.values()) {
		const ways = [...alike.values()].sort((a, b) => b.length - a.length);
		const first = ways[0]?.[0];
		const isTogether = first !== undefined && hasAll(first.row);
		const apart = isTogether ? ways.slice(1) : ways;
		for (const { purchase, row, readAs } of apart.flat()) {
			single.push(changeOf(purchase, row, readAs));
		}
		if (isTogether) together.push(endOf(first));
	}
	return [...single, ...together];
}

/** The columns that change as a run ends. */
const END: readonly Column[] = ['state', 'told'];

/** Changes all purchases of a run that are in a state. */
function endOf({ purchase, row }: Change): TableStep {
	const { state, told } = toCells(purchase);
	return {
		which: [
			['run', 'eq', row.run],
			['state', 'eq', row.state],
		],
		set: { state, told },
	};
}
