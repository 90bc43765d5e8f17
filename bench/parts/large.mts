import type { ContenderName, Measurement } from '../job.mjs';
import type { Lab } from '../Lab.mjs';
import { measureRounds } from '../measureRounds.mjs';
import { contenderNames } from '../names.mjs';
import { goal, type Effort, type Part } from '../part.mjs';
import { summarizeRatios, formatSummary, summarize } from '../summary.mjs';
import { withFreshService } from '../withFreshService.mjs';

const MIB = 2 ** 20;
const CONTENDERS: ContenderName[] = [
	'node',
	'httpRequest',
	'httpRequestWithoutRedirects',
	'serialNode',
	'bareNode',
	'floor',
];

/** Measures how much memory large images take. */
export async function large(lab: Lab, { few, some, quick }: Effort): Promise<Part> {
	const sizes = quick ? [1, 200] : [1, 10, 50, 200];
	const largest = 200;
	const caseOf = (
		contender: ContenderName,
		mebibytes: number,
		items = 1,
		memory: 'peak' | 'live' = 'peak',
	) => ({
		name: `${contenderNames[contender]}, ${items} × ${mebibytes} MiB, ${memory}`,
		contender,
		mebibytes,
		measure: async () =>
			await withFreshService(
				async (service) =>
					await lab.measure({
						contender,
						service,
						images: await lab.images(mebibytes * MIB, items),
						items,
						executions: 1,
						concurrency: items,
						warmUp: { images: await lab.images(100_000, 20), items: 20 },
						memory,
					}),
			),
	});
	const peaks = CONTENDERS.flatMap((contender) => sizes.map((size) => caseOf(contender, size)));
	const five = caseOf('node', largest, 5);
	const lives = sizes.map((size) => caseOf('node', size, 1, 'live'));
	const measured = new Map([
		...(await measureRounds([...peaks, five], some)),
		...(await measureRounds(lives, few)),
	]);

	type Case = (typeof peaks)[number];
	const memoriesOf = (one: Case) =>
		(measured.get(one) ?? []).map(({ memory }: Measurement) => memory / MIB);
	const memoryOf = (one: Case) => summarize(memoriesOf(one));
	const cells = (cases: Case[], digits = 0) =>
		cases.map((one) => formatSummary(memoryOf(one), digits));
	const of = (contender: ContenderName) => peaks.filter((one) => one.contender === contender);
	const peaksAt = (contender: ContenderName) =>
		of(contender)
			.filter(({ mebibytes }) => mebibytes === largest)
			.flatMap(memoriesOf);
	const ours = peaksAt('node');
	return {
		title: '(c) Large images',
		about:
			'Peak resident memory in MiB while an image is uploaded and downloaded, above that of the ' +
			'idle process. Each measurement runs in a fresh process. Part of the memory is garbage that ' +
			'V8 has not collected yet; the second row shows what remains when all garbage is collected ' +
			'every second.',
		head: ['', ...sizes.map((size) => `${size} MiB`), `five of ${largest} MiB at once`],
		rows: [
			[contenderNames.node, ...cells(of('node')), formatSummary(memoryOf(five), 0)],
			[`${contenderNames.node}, without garbage`, ...cells(lives, 1), '–'],
			...CONTENDERS.slice(1).map((name) => [contenderNames[name], ...cells(of(name)), '–']),
		],
		goals: [
			goal(
				`one of ${largest} MiB ÷ bare node: at most 1.1`,
				summarizeRatios(ours, peaksAt('bareNode')),
				1.1,
			),
			goal('five at once ÷ one: at most 2', summarizeRatios(memoriesOf(five), ours), 2),
		],
		chart: {
			title: `Peak memory for an image of ${largest} MiB`,
			unit: ' MiB',
			digits: 0,
			bars: CONTENDERS.map((contender) => ({
				name: contenderNames[contender],
				value: summarize(peaksAt(contender)).median,
				isOurs: contender === 'node',
			})),
		},
	};
}
