import type { ContenderName, Measurement } from '../job.mjs';
import type { Lab } from '../Lab.mjs';
import { contenderNames } from '../names.mjs';
import { goal, type Effort, type Part } from '../part.mjs';
import { rounds } from '../rounds.mjs';
import { ratiosOf, shown, summaryOf } from '../summary.mjs';
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

/** How much memory large images take. */
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
						images: await lab.imagesOf(mebibytes * MIB, items),
						items,
						executions: 1,
						concurrency: items,
						warmUp: { images: await lab.imagesOf(100_000, 20), items: 20 },
						memory,
					}),
			),
	});
	const peaks = CONTENDERS.flatMap((contender) => sizes.map((size) => caseOf(contender, size)));
	const five = caseOf('node', largest, 5);
	const lives = sizes.map((size) => caseOf('node', size, 1, 'live'));
	const measured = new Map([
		...(await rounds([...peaks, five], some)),
		...(await rounds(lives, few)),
	]);

	type Case = (typeof peaks)[number];
	const memoriesOf = (one: Case) =>
		(measured.get(one) ?? []).map(({ memory }: Measurement) => memory / MIB);
	const memoryOf = (one: Case) => summaryOf(memoriesOf(one));
	const cells = (cases: Case[], digits = 0) => cases.map((one) => shown(memoryOf(one), digits));
	const of = (contender: ContenderName) => peaks.filter((one) => one.contender === contender);
	const peaksAt = (contender: ContenderName) =>
		of(contender)
			.filter(({ mebibytes }) => mebibytes === largest)
			.flatMap(memoriesOf);
	const ours = peaksAt('node');
	return {
		title: '(c) Large images, up and down',
		about:
			'Highest resident memory above that of the process at rest, in MiB, in a fresh process ' +
			'each. Some of it is garbage that V8 has not collected yet; the second line says what is ' +
			'left when all garbage is collected every second.',
		head: ['', ...sizes.map((size) => `${size} MiB`), `five of ${largest} MiB at once`],
		rows: [
			[contenderNames.node, ...cells(of('node')), shown(memoryOf(five), 0)],
			[`${contenderNames.node}, without garbage`, ...cells(lives, 1), '–'],
			...CONTENDERS.slice(1).map((name) => [contenderNames[name], ...cells(of(name)), '–']),
		],
		goals: [
			goal(
				`one of ${largest} MiB ÷ bare node: at most 1.1`,
				ratiosOf(ours, peaksAt('bareNode')),
				1.1,
			),
			goal('five at once ÷ one: at most 2', ratiosOf(memoriesOf(five), ours), 2),
		],
		chart: {
			title: `Memory above rest for an image of ${largest} MiB`,
			unit: ' MiB',
			digits: 0,
			bars: CONTENDERS.map((contender) => ({
				name: contenderNames[contender],
				value: summaryOf(peaksAt(contender)).median,
				isOurs: contender === 'node',
			})),
		},
	};
}
