import type { Lab } from './Lab.mjs';
import { formatSummary, summarize, type Summary } from './summary.mjs';

/** A part of the benchmark: what it measures, and the goals. */
export interface Part {
	title: string;
	/** What is measured and how. */
	about: string;
	/** The first column's head. */
	head: string;
	figures: Figure[];
	cases: Case[];
	goals: Goal[];
	/** Releases what the part used. */
	end?: () => Promise<void>;
}

export type StartPart = (lab: Lab) => Part | Promise<Part>;

/** A column of the table. */
export interface Figure {
	name: string;
	digits: number;
}

/** A row of the table. */
export interface Case {
	name: string;
	/** Whether this package's node is measured, so that another build can be measured beside it. */
	isOurs?: boolean;
	/**
	 * Measures once.
	 * @param build folder of the package
	 * @returns a value for each figure; undefined if it has none
	 */
	measure(build: string): Promise<Array<number | undefined>>;
}

/** A figure of a case, or its ratio to that of another case in the same round. */
export interface Goal {
	of: Case;
	/** The figure's index. */
	figure: number;
	to?: Case;
	/** The goal. Without it, the page only says which case has more. */
	max?: number;
}

const OTHER = ' (other build)';

type Values = ReadonlyMap<Case, ReadonlyArray<ReadonlyArray<number | undefined>>>;

/**
 * Measures all cases in turn, round by round, so that other load on the machine affects them alike.
 * Each round starts with a different case.
 * @param other folder of another build, which is measured beside ours
 * @returns the part's tables as Markdown, and the goals that are missed
 */
export async function measurePart(
	{ title, about, head, figures, cases, goals, end }: Part,
	{ ours, other, rounds }: { ours: string; other: string | undefined; rounds: number },
): Promise<{ section: string; missed: string[] }> {
	const twins = new Map<Case, Case>();
	const rows = cases.flatMap((one) => {
		if (other === undefined || one.isOurs !== true) return [one];
		const twin = {
			name: `${one.name}${OTHER}`,
			measure: async () => await one.measure(other),
		};
		twins.set(one, twin);
		return [one, twin];
	});
	const values = new Map(rows.map((one) => [one, [] as Array<Array<number | undefined>>]));
	for (let round = 0; round < rounds; round++) {
		const first = round % rows.length;
		for (const one of [...rows.slice(first), ...rows.slice(0, first)]) {
			const measured = await one.measure(ours);
			values.get(one)?.push(measured);
			const shown = measured.map((value, index) => value?.toFixed(figures[index]?.digits ?? 0));
			console.log(`  ${round + 1}/${rounds} ${one.name}: ${shown.join(', ')}`);
		}
	}
	await end?.();

	const comparisons = [...twins].flatMap(([of, to]) =>
		figures.map((_figure, figure): Goal => ({ of, figure, to })),
	);
	const verdicts = [...goals, ...comparisons].flatMap((one) => verdict(one, values, figures));
	const section = [
		`## ${title}`,
		about,
		table(
			[head, ...figures.map(({ name }) => name)],
			rows.map((one) => [
				one.name,
				...figures.map(({ digits }, figure) => {
					const found = valuesOf(values, one, figure);
					return found.length === 0 ? '–' : formatSummary(summarize(found), digits);
				}),
			]),
		),
		table(
			['Goal', 'Result', ''],
			verdicts.map(({ wanted, found, says }) => [wanted, found, says]),
		),
	].join('\n\n');
	const missed = verdicts.filter(({ says }) => says === MISSED);
	return { section, missed: missed.map(({ wanted, found }) => `${title}: ${wanted}; ${found}`) };
}

const MISSED = '**missed**';

/** Says whether all values of the interval agree: otherwise the difference may be chance. */
function verdict({ of, figure, to, max }: Goal, values: Values, figures: Figure[]) {
	const ofs = valuesOf(values, of, figure);
	const tos = to === undefined ? undefined : valuesOf(values, to, figure);
	if (ofs.length === 0 || tos?.length === 0) return [];
	const summary = summarize(ofs.map((value, round) => value / (tos?.[round] ?? 1)));
	const than = to?.name === `${of.name}${OTHER}` ? 'other build' : to?.name;
	const what = `${figures[figure]?.name ?? ''}, ${of.name}${than === undefined ? '' : ` ÷ ${than}`}`;
	const digits = to === undefined ? (figures[figure]?.digits ?? 0) : 3;
	const wanted = max === undefined ? what : `${what}: at most ${max}`;
	const says = max === undefined ? comparison(summary) : judgment(summary, max);
	return [{ wanted, found: formatSummary(summary, digits), says }];
}

function judgment({ interval }: Summary, max: number): string {
	if (interval === undefined) return 'too few rounds';
	if (interval.high <= max) return 'met';
	return interval.low > max ? MISSED : 'undecided';
}

function comparison({ interval }: Summary): string {
	if (interval === undefined) return 'too few rounds';
	if (interval.low <= 1 && interval.high >= 1) return 'no difference';
	return interval.low > 1 ? 'more' : 'less';
}

function valuesOf(values: Values, one: Case, figure: number): number[] {
	return (values.get(one) ?? []).flatMap((round) => round[figure] ?? []);
}

export function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
