import type { Measurement } from '../job.mjs';
import type { Lab } from '../Lab.mjs';
import { measureRounds } from '../measureRounds.mjs';
import { goal, type Effort, type Part } from '../part.mjs';
import { summarizeRatios, formatSummary, summarize } from '../summary.mjs';
import { withFreshService } from '../withFreshService.mjs';

const MIB = 2 ** 20;
const BYTES = 500_000;

/** Whether many files in one item take more memory than few, or than an item each. */
export async function oneItem(lab: Lab, { few, quick }: Effort): Promise<Part> {
	const most = quick ? 100 : 1000;
	const images = await lab.images(BYTES, 100);
	const caseOf = (files: number, inOneItem: boolean, memory: 'live' | 'peak') => ({
		name: `${files} files in ${inOneItem ? 'one item' : 'an item each'}, ${memory}`,
		measure: async () =>
			await withFreshService(
				async (service) =>
					await lab.measure({
						contender: 'node',
						service,
						images,
						items: files,
						inOneItem,
						executions: 1,
						concurrency: 5,
						warmUp: { images, items: 20 },
						memory,
					}),
			),
	});
	const lines = [
		{ files: 10, inOneItem: true },
		{ files: most, inOneItem: true },
		{ files: most, inOneItem: false },
	].map(({ files, inOneItem }) => ({
		files,
		where: inOneItem ? 'one item' : 'an item each',
		live: caseOf(files, inOneItem, 'live'),
		peak: caseOf(files, inOneItem, 'peak'),
	}));
	const measured = await measureRounds(
		lines.flatMap(({ live, peak }) => [live, peak]),
		few,
	);

	type Line = (typeof lines)[number];
	const memoriesOf = (one: Line['live']) =>
		(measured.get(one) ?? []).map(({ memory }: Measurement) => memory / MIB);
	const cellOf = (one: Line['live']) => formatSummary(summarize(memoriesOf(one)), 1);
	const [, many, each] = lines as [Line, Line, Line];
	const kilobytesPerFile = memoriesOf(many.live).map(
		(mebibytes) => (mebibytes * MIB) / 1000 / most,
	);
	return {
		title: '(h) Many files in one item',
		about:
			`Images of ${BYTES / 1000} kB, 5 at once. Memory in MiB above that of the idle process, with ` +
			'the output: what remains when all garbage is collected every second, and the peak of ' +
			'resident memory.',
		head: ['Files', 'In', 'Images', 'Without garbage', 'Peak'],
		rows: lines.map(({ files, where, live, peak }) => [
			files.toLocaleString('en'),
			where,
			`${((files * BYTES) / MIB).toFixed(0)} MiB`,
			cellOf(live),
			cellOf(peak),
		]),
		goals: [
			goal(`kB per file, ${most} files in one item: at most 4`, summarize(kilobytesPerFile), 4, 1),
			goal(
				`highest resident, ${most} files in one item ÷ an item each: at most 1.1`,
				summarizeRatios(memoriesOf(many.peak), memoriesOf(each.peak)),
				1.1,
			),
		],
		chart: {
			title: `Peak memory, ${most.toLocaleString('en')} files of ${BYTES / 1000} kB`,
			unit: ' MiB',
			digits: 0,
			bars: [many, each].map((line) => ({
				name: `in ${line.where}`,
				value: summarize(memoriesOf(line.peak)).median,
				isOurs: line === many,
			})),
		},
	};
}
