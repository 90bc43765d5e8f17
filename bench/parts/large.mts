import { contenderNames, type ContenderName } from '../job.mjs';
import type { StartPart } from '../part.mjs';

const MIB = 2 ** 20;
const SIZES = [1, 10, 50, 200];
const LARGEST = 200;

/** How much memory large images take. */
export const large: StartPart = async (lab) => {
	const warmUp = { images: await lab.images(100_000, 20), items: 20 };
	const caseOf = (contender: ContenderName, sizes = SIZES, items = 1) => ({
		name: `${contenderNames[contender]}${items > 1 ? `, ${items} at once` : ''}`,
		isOurs: contender === 'node',
		measure: async (build: string) => {
			const peaks: Array<number | undefined> = [];
			for (const size of SIZES) {
				const task = { contender, package: build, items, concurrency: items, warmUp };
				const images = await lab.images(size * MIB, items);
				const measured = sizes.includes(size)
					? await lab.measureAlone({ ...task, images, watchMemory: true })
					: undefined;
				peaks.push(measured && measured.memory / MIB);
			}
			return peaks;
		},
	});
	const ours = caseOf('node');
	const five = caseOf('node', [LARGEST], 5);
	const bare = caseOf('bareNode');
	const largest = SIZES.indexOf(LARGEST);
	return {
		title: '(c) Large images',
		about:
			'Peak resident memory in MiB while an image is uploaded and downloaded, above that of the ' +
			'idle process, with the garbage that V8 has not collected yet.',
		head: '',
		figures: SIZES.map((size) => ({ name: `${size} MiB`, digits: 0 })),
		cases: [ours, five, caseOf('httpRequest'), bare],
		goals: [
			{ of: ours, figure: largest, to: bare, max: 1.1 },
			{ of: five, figure: largest, to: ours, max: 2 },
		],
	};
};
