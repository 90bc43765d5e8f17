import type { ContenderName, Measurement } from '../job.mjs';
import type { Lab } from '../Lab.mjs';
import { measureRounds } from '../measureRounds.mjs';
import { contenderNames } from '../names.mjs';
import { goal, type Effort, type Part } from '../part.mjs';
import { startService } from '../startService.mjs';
import { summarizeRatios, formatSummary, summarize } from '../summary.mjs';

const ITEMS = 300;

/** Measures the time of each item apart from the service's. */
export async function small(lab: Lab, { many }: Effort): Promise<Part> {
	const service = await startService(0);
	const images = await lab.images(100_000, ITEMS);
	const caseOf = (contender: ContenderName, concurrency: number, executions = 1) => ({
		name: `${contenderNames[contender]}, ${concurrency} at once`,
		contender,
		concurrency,
		executions,
		measure: async () =>
			await lab.measure({
				contender,
				service: service.url,
				images,
				items: ITEMS / executions,
				executions,
				concurrency,
				warmUp: { images, items: ITEMS / executions },
				memory: 'none',
			}),
	});
	// The HTTP Request node has no concurrency limit: it processes all its items at once.
	const groups = [
		{
			ours: caseOf('node', 5),
			chain: caseOf('httpRequestLoop', 5),
			bare: caseOf('bareNode', 5),
			floor: caseOf('floor', 5),
			mostTime: 0.9,
		},
		{
			ours: caseOf('node', 100, 3),
			chain: caseOf('httpRequest', 100, 3),
			bare: caseOf('bareNode', 100, 3),
			floor: caseOf('floor', 100, 3),
			mostTime: 0.8,
		},
	];
	const cases = [
		...groups.flatMap(({ ours, chain, bare, floor }) => [ours, chain, bare, floor]),
		caseOf('httpRequest', ITEMS),
		caseOf('serialNode', 1),
	];
	const measured = await measureRounds(cases, many);
	await service.stop();

	type Case = (typeof cases)[number];
	const valuesOf = (one: Case, what: 'wall' | 'cpu') =>
		(measured.get(one) ?? []).map((m: Measurement) => m[what] / ITEMS);
	const perItem = (one: Case, what: 'wall' | 'cpu') => summarize(valuesOf(one, what));
	const ratio = (one: Case, to: Case, what: 'wall' | 'cpu') =>
		summarizeRatios(valuesOf(one, what), valuesOf(to, what));
	const ratios = (one: Case, to: Case | undefined) =>
		to === undefined
			? '–'
			: `${ratio(one, to, 'wall').median.toFixed(2)} / ${ratio(one, to, 'cpu').median.toFixed(2)}`;
	const groupOf = (one: Case) =>
		groups.find(({ ours, chain, bare, floor }) => [ours, chain, bare, floor].includes(one));
	return {
		title: '(b) A service that responds at once',
		about:
			`${ITEMS} images of 100 kB. The HTTP Request node has no concurrency limit. For 5 at once it ` +
			'is in a Loop Over Items node; for 100 at once, all contenders run three executions of 100 ' +
			'items. Ratios are time / CPU time, compared at the same concurrency.',
		head: [
			'',
			'At once',
			'ms per item',
			'CPU ms per item',
			'÷ HTTP Request',
			'÷ floor in n8n',
			'÷ floor',
		],
		rows: cases.map((one) => [
			contenderNames[one.contender],
			String(one.concurrency),
			formatSummary(perItem(one, 'wall'), 2),
			formatSummary(perItem(one, 'cpu'), 2),
			ratios(one, groupOf(one)?.chain),
			ratios(one, groupOf(one)?.bare),
			ratios(one, groupOf(one)?.floor),
		]),
		goals: groups.flatMap(({ ours, chain, bare, mostTime }) => {
			const goalFor = (wanted: string, what: 'wall' | 'cpu', to: Case, most: number) =>
				goal(
					`${wanted}, ${ours.concurrency} at once: at most ${most.toFixed(2)}`,
					ratio(ours, to, what),
					most,
				);
			return [
				goalFor('time ÷ HTTP Request', 'wall', chain, mostTime),
				goalFor('CPU time ÷ HTTP Request', 'cpu', chain, 1),
				goalFor('CPU time ÷ bare node', 'cpu', bare, 1.05),
			];
		}),
		chart: {
			title: 'CPU time per image of 100 kB',
			unit: ' ms',
			digits: 1,
			bars: cases.map((one) => ({
				name: one.name,
				value: perItem(one, 'cpu').median,
				isOurs: one.contender === 'node',
			})),
		},
	};
}
