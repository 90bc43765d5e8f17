import type { ContenderName, Measurement } from '../job.mjs';
import type { Lab } from '../Lab.mjs';
import { contenderNames } from '../names.mjs';
import { goal, type Effort, type Part } from '../part.mjs';
import { rounds } from '../rounds.mjs';
import { startService } from '../startService.mjs';
import { ratiosOf, shown, summaryOf } from '../summary.mjs';

const ITEMS = 300;

/** What each item costs beside the service's time. */
export async function small(lab: Lab, { many }: Effort): Promise<Part> {
	const service = await startService(0);
	const images = await lab.imagesOf(100_000, ITEMS);
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
	// The HTTP Request node has no cap: so many items in, so many under way.
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
	const measured = await rounds(cases, many);
	await service.stop();

	type Case = (typeof cases)[number];
	const valuesOf = (one: Case, what: 'wall' | 'cpu') =>
		(measured.get(one) ?? []).map((m: Measurement) => m[what] / ITEMS);
	const perItem = (one: Case, what: 'wall' | 'cpu') => summaryOf(valuesOf(one, what));
	const ratio = (one: Case, to: Case, what: 'wall' | 'cpu') =>
		ratiosOf(valuesOf(one, what), valuesOf(to, what));
	const ratios = (one: Case, to: Case | undefined) =>
		to === undefined
			? '–'
			: `${ratio(one, to, 'wall').median.toFixed(2)} / ${ratio(one, to, 'cpu').median.toFixed(2)}`;
	const groupOf = (one: Case) =>
		groups.find(({ ours, chain, bare, floor }) => [ours, chain, bare, floor].includes(one));
	return {
		title: '(b) A service that takes no time',
		about:
			`${ITEMS} images of 100 kB. The HTTP Request node has no cap, so for 5 at once it stands in ` +
			'a Loop Over Items node, and for 100 at once all run three executions of 100 items. ' +
			'Ratios are of time / of CPU time, at the same number under way.',
		head: [
			'',
			'at once',
			'ms per item',
			'CPU ms per item',
			'÷ HTTP Request',
			'÷ floor in n8n',
			'÷ floor',
		],
		rows: cases.map((one) => [
			contenderNames[one.contender],
			String(one.concurrency),
			shown(perItem(one, 'wall'), 2),
			shown(perItem(one, 'cpu'), 2),
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
