import { contenderNames, type ContenderName } from '../job.mjs';
import type { StartPart } from '../part.mjs';
import { startService } from '../startService.mjs';

const ITEMS = 300;
/** How many photos are in the items themselves, as with a webhook's raw body, and of which size. */
const PHOTOS = 40;
const PHOTO = 5_000_000;

/** The time of each item apart from the service's. */
export const small: StartPart = async (lab) => {
	const service = await startService(0);
	const images = await lab.images(100_000, ITEMS);
	const photos = await lab.images(PHOTO, PHOTOS, true);
	const caseOf = (
		contender: ContenderName,
		concurrency: number,
		executions: number,
		of = { images, what: '' },
	) => ({
		name: `${contenderNames[contender]}, ${of.what}${concurrency} at once`,
		isOurs: contender === 'node',
		measure: async (build: string) => {
			const items = of.images.binaries.length;
			const { wall, cpu } = await lab.measure({
				contender,
				package: build,
				service: service.url,
				images: of.images,
				items: items / executions,
				executions,
				concurrency,
			});
			return [wall / items, cpu / items];
		},
	});
	// The HTTP Request node has no concurrency limit: it processes all its items at once.
	const groups = [
		{ at: 5, executions: 1, http: 'httpRequestLoop' as const },
		{ at: 100, executions: 3, http: 'httpRequest' as const },
	].map(({ at, executions, http }) => ({
		ours: caseOf('node', at, executions),
		http: caseOf(http, at, executions),
		bare: caseOf('bareNode', at, executions),
	}));
	const inItem = { images: photos, what: '5 MB in the item, ' };
	const inItems = {
		ours: caseOf('node', 5, 1, inItem),
		http: caseOf('httpRequestLoop', 5, 1, inItem),
		bare: caseOf('bareNode', 5, 1, inItem),
	};
	return {
		title: '(b) A service that responds at once',
		about:
			`${ITEMS} images of 100 kB, 5 at once (HTTP Request in a Loop Over Items node) or 100 at once, in ` +
			`three executions. ${PHOTOS} photos of 5 MB are in the items themselves, as with a webhook's raw body.`,
		head: '',
		figures: [
			{ name: 'ms per item', digits: 2 },
			{ name: 'CPU ms per item', digits: 2 },
		],
		cases: [...groups, inItems].flatMap(({ ours, http, bare }) => [ours, http, bare]),
		goals: [
			...groups.flatMap(({ ours, http }) => [
				{ of: ours, figure: 0, to: http, max: 1 },
				{ of: ours, figure: 1, to: http, max: 1 },
			]),
			{ of: inItems.ours, figure: 0, to: inItems.http, max: 1.2 },
			{ of: inItems.ours, figure: 1, to: inItems.http, max: 1.4 },
		],
		end: service.stop,
	};
};
