import type { Measurement } from '../job.mjs';
import type { Lab } from '../Lab.mjs';
import { measureRounds } from '../measureRounds.mjs';
import { goal, type Effort, type Part } from '../part.mjs';
import { startService } from '../startService.mjs';
import { summarizeRatios, formatSummary, summarize } from '../summary.mjs';
import { besideOther } from './besideOther.mjs';

/** Whether many items cost more than few, each. */
export async function many(lab: Lab, effort: Effort): Promise<Part> {
	const { few, quick } = effort;
	const service = await startService(0);
	const images = await lab.images(1000, 100);
	const caseOf = (items: number, memory: 'none' | 'live') => ({
		name: `${items} items${memory === 'live' ? ', memory' : ''}`,
		items,
		memory,
		measure: async () =>
			await lab.measure({
				contender: 'node',
				service: service.url,
				images,
				items,
				executions: 1,
				concurrency: 5,
				warmUp: { images, items: 1000 },
				memory,
			}),
	});
	const counts = quick ? [100, 1000] : [100, 1000, 10_000];
	const cases = counts.map((items) => ({
		items,
		time: caseOf(items, 'none'),
		memory: caseOf(items, 'live'),
	}));
	const measured = new Map([
		...(await measureRounds(
			cases.map(({ time }) => time),
			few,
		)),
		...(await measureRounds(
			cases.map(({ memory }) => memory),
			few,
		)),
	]);
	const beside = await besideOther(lab, service.url, images, effort);
	await service.stop();

	type Case = (typeof cases)[number]['time'];
	const valuesOf = (one: Case, what: keyof Measurement, scale = 1) =>
		(measured.get(one) ?? []).map((m) => m[what] / one.items / scale);
	const perItem = (one: Case, what: keyof Measurement, scale?: number) =>
		summarize(valuesOf(one, what, scale));
	const first = cases[0];
	const last = cases.at(-1);
	const most = counts.at(-1) ?? 0;
	return {
		title: '(d) Many items',
		about:
			'Items with 1 kB of JSON and an image of 1 kB, 5 at once. Memory is the peak without ' +
			'garbage. It includes the output but not the input items.',
		head: ['Items', 'ms per item', 'CPU ms per item', 'kB of memory per item'],
		rows: [
			...cases.map(({ items, time, memory }) => [
				items.toLocaleString('en'),
				formatSummary(perItem(time, 'wall'), 2),
				formatSummary(perItem(time, 'cpu'), 2),
				formatSummary(perItem(memory, 'memory', 1000), 1),
			]),
			...beside.rows,
		],
		goals: [
			...(first === undefined || last === undefined
				? []
				: [
						goal(
							`time per item, ${most} items ÷ 100 items: at most 1.15`,
							summarizeRatios(valuesOf(last.time, 'wall'), valuesOf(first.time, 'wall')),
							1.15,
						),
						goal(
							`kB per item, ${most} items: at most 4`,
							perItem(last.memory, 'memory', 1000),
							4,
							1,
						),
					]),
			...beside.goals,
		],
		chart: {
			title: 'Time per item of 1 kB',
			unit: ' ms',
			digits: 2,
			bars: cases.map(({ items, time }) => ({
				name: `${items.toLocaleString('en')} items`,
				value: perItem(time, 'wall').median,
				isOurs: true,
			})),
		},
	};
}
