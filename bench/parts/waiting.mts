import { contenderNames, type ContenderName } from '../job.mjs';
import type { StartPart } from '../part.mjs';
import { startService } from '../startService.mjs';

const SECONDS = 1;
const ITEMS = 50;

/** How close the node comes to the shortest possible time with a slow service. */
export const waiting: StartPart = async (lab) => {
	const service = await startService(SECONDS * 1000);
	const images = await lab.images(1000, ITEMS);
	const caseOf = (contender: ContenderName, concurrency: number) => ({
		name: `${contenderNames[contender]}, ${concurrency} at once`,
		isOurs: contender === 'node',
		measure: async (build: string) => {
			const { wall } = await lab.measure({
				contender,
				package: build,
				service: service.url,
				images,
				items: ITEMS,
				concurrency,
				warmUp: { images, items: 2 * concurrency },
			});
			return [wall / 1000, wall / 1000 / (SECONDS * Math.ceil(ITEMS / concurrency))];
		},
	});
	const groups = [5, 25].map((concurrency) => ({
		ours: caseOf('node', concurrency),
		bare: caseOf('bareNode', concurrency),
		loop: caseOf('httpRequestLoop', concurrency),
	}));
	return {
		title: '(a) A slow service',
		about:
			`${ITEMS} images of 1 kB. The service takes ${SECONDS} s for each. Ideal is ${SECONDS} s for ` +
			'each group of images processed at once.',
		head: '',
		figures: [
			{ name: 'Seconds', digits: 2 },
			{ name: '÷ ideal', digits: 3 },
		],
		cases: groups.flatMap(({ ours, bare, loop }) => [ours, bare, loop]),
		goals: groups.map(({ ours, bare }) => ({ of: ours, figure: 0, to: bare, max: 1.02 })),
		end: service.stop,
	};
};
