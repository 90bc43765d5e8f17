import type { Images } from '../job.mjs';
import type { Lab } from '../Lab.mjs';
import { measureRounds } from '../measureRounds.mjs';
import { goal, type Effort, type Goal } from '../part.mjs';
import { summarizeRatios, formatSummary, summarize } from '../summary.mjs';

/** Rows and goals for part (d). */
interface Lines {
	rows: string[][];
	goals: Goal[];
}

/**
 * Plans many items and buys them, with this build and another one in turn.
 * @returns nothing if there is no other build
 */
export async function besideOther(
	lab: Lab,
	service: string,
	images: Images,
	{ some, quick }: Effort,
): Promise<Lines> {
	const { other } = lab;
	if (other === undefined) return { rows: [], goals: [] };
	const items = quick ? 1000 : 10_000;
	const shared = { images, items };
	const builds = [
		{ name: 'this build', build: {} },
		{ name: 'the other build', build: { package: other } },
	] as const;
	const works = [
		{
			work: 'planning alone',
			measure: async (build: { package?: string }) =>
				await lab.measurePlanning({ ...shared, ...build }),
		},
		{
			work: 'the whole run',
			measure: async (build: { package?: string }) =>
				await lab.measure({
					...shared,
					...build,
					contender: 'node',
					service,
					executions: 1,
					concurrency: 5,
					warmUp: { images, items: 1000 },
					memory: 'none',
				}),
		},
	];
	const cases = works.flatMap(({ work, measure }) =>
		builds.map(({ name, build }) => ({
			name: `${items.toLocaleString('en')}, ${work}, ${name}`,
			work,
			measure: async () => await measure(build),
		})),
	);
	const measured = await measureRounds(cases, some);

	const valuesOf = (one: (typeof cases)[number], what: 'wall' | 'cpu') =>
		(measured.get(one) ?? []).map((measurement) => measurement[what] / items);
	const cellOf = (one: (typeof cases)[number], what: 'wall' | 'cpu') =>
		formatSummary(summarize(valuesOf(one, what)), 3);
	return {
		rows: cases.map((one) => [one.name, cellOf(one, 'wall'), cellOf(one, 'cpu'), '–']),
		goals: works.map(({ work }) => {
			const [ours = [], theirs = []] = cases
				.filter((one) => one.work === work)
				.map((one) => valuesOf(one, 'cpu'));
			return goal(
				`CPU time of ${work} ÷ the other build: at most 1.05`,
				summarizeRatios(ours, theirs),
				1.05,
				3,
			);
		}),
	};
}
