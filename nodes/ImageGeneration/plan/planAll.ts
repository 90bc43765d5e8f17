import { safeStem } from '../images/fileName';
import { numbering } from '../images/outputName';
import type { InvalidRow } from '../types';
import type { Planning, PlanningRun } from './item';
import { hasExpression, planItem, type PlannedRow } from './planItem';

/** Planning mostly waits for n8n's storage, which may be remote. */
const AT_ONCE = 10;

/**
 * Plans every item, a few at a time. All checks happen here, before the first paid request.
 * @param stop No further item is planned after it is aborted.
 * @returns the rows, ordered by item, then image, then copy.
 */
export async function planAll(
	attempt: PlanningRun,
	stop: AbortSignal,
): Promise<Array<PlannedRow | InvalidRow>> {
	const plans: Array<Array<PlannedRow | InvalidRow>> = [];
	const queue = attempt.context.getInputData().keys();
	const valueIn = parameterReader(attempt);
	async function worker(): Promise<void> {
		for (const itemIndex of queue) {
			if (stop.aborted) return;
			const valueOf = (name: string) => valueIn(itemIndex, name);
			plans[itemIndex] = await planItem({ ...attempt, itemIndex, valueOf });
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	// Named when all are planned, so that the numbers follow the order of the items.
	const numbered = numbering();
	return plans
		.flat()
		.map((planned) => ('problem' in planned ? planned : withSafeName(planned, numbered)));
}

function withSafeName({ row, asks }: PlannedRow, numbered: (stem: string) => string): PlannedRow {
	const { stem, isMarked } = row.fileName;
	const safe = safeStem(stem);
	const fileName = { stem: isMarked ? safe : numbered(safe), isMarked };
	return { row: { ...row, fileName }, asks };
}

/**
 * Returns a reader that asks n8n once for a parameter without an expression, whose value is the same for
 * every item. Asking each time makes a quarter of the garbage of planning an item (2.40.3).
 */
function parameterReader({ context, node: { parameters } }: Planning) {
	const fixed = new Map<string, unknown>();
	return (itemIndex: number, name: string): unknown => {
		if (fixed.has(name)) return fixed.get(name);
		const value: unknown = context.getNodeParameter(name, itemIndex, '');
		if (!hasExpression(parameters[name])) fixed.set(name, value);
		return value;
	};
}
