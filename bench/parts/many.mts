import type { StartPart } from '../part.mjs';

/** Whether many items cost more than few, each. */
export const many: StartPart = async (lab) => {
	const images = await lab.images(1000, 100);
	const caseOf = (items: number) => ({
		name: items.toLocaleString('en'),
		isOurs: true,
		measure: async (build: string) => {
			const task = {
				contender: 'node' as const,
				package: build,
				images,
				items,
				concurrency: 5,
				warmUp: { images, items: 1000 },
			};
			const { wall, cpu } = await lab.measureAlone(task);
			const { memory } = await lab.measureAlone({ ...task, memory: 'live' });
			return [wall / items, cpu / items, memory / items / 1000];
		},
	});
	const few = caseOf(100);
	const most = caseOf(10_000);
	return {
		title: '(d) Many items',
		about:
			'Items with 1 kB of JSON and an image of 1 kB, 5 at once. Memory is the peak without ' +
			'garbage. It includes the output but not the input items.',
		head: 'Items',
		figures: [
			{ name: 'ms per item', digits: 2 },
			{ name: 'CPU ms per item', digits: 2 },
			{ name: 'kB of memory per item', digits: 1 },
		],
		cases: [few, caseOf(1000), most],
		goals: [
			{ of: most, figure: 0, to: few, max: 1 },
			{ of: most, figure: 1, to: few, max: 1 },
			{ of: most, figure: 2, max: 2.5 },
		],
	};
};
