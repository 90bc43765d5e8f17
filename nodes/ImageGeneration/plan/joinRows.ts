import { fileOf, isCutOut, requestKey } from '../recall/requestKey';
import type { InvalidRow, Job, JobRequest, Row } from '../types';
import type { PlannedRow } from './planItem';

/** Rows that ask for the same image, and their number among equal requests. */
interface Group {
	planned: PlannedRow[];
	number: number;
}

/** The rows of a run in the order of its output, and the jobs that they need. */
export interface Plan {
	rows: Array<Row | InvalidRow>;
	jobs: Job[];
}

/**
 * Joins the rows that get one image: all that ask for equal cut-outs, because the tool can return nothing new, and those of
 * all items if these ask for the same, because a field was forgotten. Other equal requests stay apart and are numbered.
 * @param origin Of the service.
 * @param entryOf Returns the name of the purchase that the execution has of a row already. Such rows belong together.
 */
export async function joinRows(
	planned: ReadonlyArray<PlannedRow | InvalidRow>,
	origin: string,
	entryOf: (row: Row) => string | undefined,
): Promise<Plan> {
	const valid = planned.filter((each): each is PlannedRow => !('problem' in each));
	const requests = await identifyAll(valid, origin);
	const groups = groupsOf(valid, requests);
	return {
		rows: planned.map((each) => ('problem' in each ? each : each.row)),
		jobs: groups.flatMap((group) => jobsOf(group, origin, entryOf)),
	};
}

/** Identifies what each row asks for. Whole files are read only if their sizes and first bytes are equal. */
async function identifyAll(
	planned: readonly PlannedRow[],
	origin: string,
): Promise<Map<PlannedRow, string>> {
	const keys = new Map(planned.map((each) => [each, requestKey(origin, each.asks.request, 1)]));
	const counts = new Map<string, Set<JobRequest['file']>>();
	for (const [{ asks }, key] of keys) {
		counts.set(key, (counts.get(key) ?? new Set()).add(asks.request.file));
	}
	const identified = new Map<PlannedRow, string>();
	for (const [each, key] of keys) {
		const { request } = each.asks;
		const isAlone = request.file === undefined || counts.get(key)?.size === 1;
		// A file that can't be read is like no other one.
		const bytes = isAlone ? '' : (await fileOf(request)) || each.row.key;
		identified.set(each, `${key} ${bytes}`);
	}
	return identified;
}

function groupsOf(
	planned: readonly PlannedRow[],
	requests: ReadonlyMap<PlannedRow, string>,
): Group[] {
	const requestOf = (each: PlannedRow) => requests.get(each) ?? '';
	const isForAll = allItemsAskForTheSame(planned, requestOf);
	const groups = new Map<string, Group>();
	const numbers = new Map<string, number>();
	const places = new Map<number, number>();
	for (const each of planned) {
		const { itemIndex } = each.row;
		const request = requestOf(each);
		const place = places.get(itemIndex) ?? 0;
		places.set(itemIndex, place + 1);
		const isJoined = isForAll || isCutOut(each.asks.request);
		// All items have the same at the same place.
		const position = isCutOut(each.asks.request) ? '' : place;
		const name = isJoined ? `${request} ${position}` : each.row.key;
		const group = groups.get(name);
		if (group !== undefined) {
			group.planned.push(each);
			continue;
		}
		const number = (numbers.get(request) ?? 0) + 1;
		numbers.set(request, number);
		groups.set(name, { planned: [each], number });
	}
	return [...groups.values()];
}

/** Whether there are several items, and each asks for the same images in the same order. */
function allItemsAskForTheSame(
	planned: readonly PlannedRow[],
	requestOf: (each: PlannedRow) => string,
): boolean {
	const items = new Map<number, string[]>();
	for (const each of planned) {
		const requests = items.get(each.row.itemIndex) ?? [];
		requests.push(requestOf(each));
		items.set(each.row.itemIndex, requests);
	}
	const [first, ...others] = [...items.values()].map((requests) => requests.join());
	return others.length > 0 && others.every((requests) => requests === first);
}

/** The jobs of rows that belong together: one for those that the execution has nothing of, and one for each purchase. */
function jobsOf(
	{ planned, number }: Group,
	origin: string,
	entryOf: (row: Row) => string | undefined,
): Job[] {
	const byEntry = new Map<string, PlannedRow[]>();
	for (const each of planned) {
		const entry = entryOf(each.row) ?? '';
		const same = byEntry.get(entry) ?? [];
		same.push(each);
		byEntry.set(entry, same);
	}
	return [...byEntry.values()].flatMap(([first, ...others]): Job[] => {
		if (first === undefined) return [];
		const { request, isFixed, timeout } = first.asks;
		return [
			{
				rows: [first.row, ...others.map(({ row }) => row)],
				request,
				isFixed,
				timeout,
				requestKey: requestKey(origin, request, number),
				generation: 1,
			},
		];
	});
}
