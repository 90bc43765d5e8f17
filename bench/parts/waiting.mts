import type { ContenderName } from '../job.mjs';
import type { Lab } from '../Lab.mjs';
import { measureRounds } from '../measureRounds.mjs';
import { contenderNames } from '../names.mjs';
import { goal, type Effort, type Part } from '../part.mjs';
import { startService } from '../startService.mjs';
import { summarizeRatios, formatSummary, summarize } from '../summary.mjs';

const SECONDS = 1;
const ITEMS = 50;

/** Measures how close the node comes to the shortest possible time with a slow service. */
export async function waiting(lab: Lab, { some, quick }: Effort): Promise<Part> {
	const service = await startService(SECONDS * 1000);
	const images = await lab.images(1000, ITEMS);
	const caseOf = (contender: ContenderName, concurrency: number) => ({
		name: `${contenderNames[contender]}, ${concurrency} at once`,
		contender,
		concurrency,
		ideal: SECONDS * Math.ceil(ITEMS / concurrency),
		measure: async () =>
			await lab.measure({
				contender,
				service: service.url,
				images,
				items: ITEMS,
				executions: 1,
				concurrency,
				warmUp: { images, items: contender === 'serialNode' ? 2 : 2 * concurrency },
				memory: 'none',
			}),
	});
	const serial = caseOf('serialNode', 1);
	const five = caseOf('node', 5);
	const twentyFive = caseOf('node', 25);
	const bareFive = caseOf('bareNode', 5);
	const bareTwentyFive = caseOf('bareNode', 25);
	const cases = [
		five,
		bareFive,
		twentyFive,
		bareTwentyFive,
		caseOf('httpRequestLoop', 5),
		caseOf('httpRequestLoop', 25),
		...(quick ? [] : [serial]),
		caseOf('floor', 5),
		caseOf('floor', 25),
	];
	const measured = await measureRounds(cases, some);
	await service.stop();

	const timesOf = (one: (typeof cases)[number]) =>
		(measured.get(one) ?? []).map(({ wall }) => wall / 1000);
	const timeOf = (one: (typeof cases)[number]) => summarize(timesOf(one));
	const serialTime = quick ? ITEMS * SECONDS : timeOf(serial).median;
	const ratio = (one: (typeof cases)[number]) => timeOf(one).median / one.ideal;
	return {
		title: '(a) A slow service',
		about:
			`${ITEMS} images of 1 kB. The service takes ${SECONDS} s for each. Ideal is ${SECONDS} s for ` +
			'each group of images processed at once.',
		head: ['', 'At once', 'Seconds', '÷ ideal', 'Times faster than the serial node'],
		rows: cases.map((one) => [
			contenderNames[one.contender],
			String(one.concurrency),
			formatSummary(timeOf(one), 2),
			ratio(one).toFixed(3),
			(serialTime / timeOf(one).median).toFixed(1),
		]),
		goals: [
			{ ours: five, bare: bareFive },
			{ ours: twentyFive, bare: bareTwentyFive },
		].map(({ ours, bare }) =>
			goal(
				`÷ bare node, ${ours.concurrency} at once: at most 1.02`,
				summarizeRatios(timesOf(ours), timesOf(bare)),
				1.02,
				3,
			),
		),
		chart: {
			title: `${ITEMS} images, 1 s each`,
			unit: ' s',
			digits: 1,
			bars: cases.map((one) => ({
				name: one.name,
				value: timeOf(one).median,
				isOurs: one.contender === 'node',
			})),
		},
	};
}
