import { choice } from './field';

/** All qualities, in the order that n8n lists them; the first is the default. */
const QUALITIES = {
	standard: {
		name: 'Standard',
		description: "The service's normal quality",
	},
	hd: {
		name: 'HD',
		description: 'For larger images, such as 1024 × 1024 pixels',
	},
	genius: {
		name: 'Genius',
		description: 'Higher quality and more detail',
	},
	super_genius: {
		name: 'Super Genius',
		description: 'Higher quality and more detail, in 2K or 4K. The files are large.',
	},
};

/** A quality tier of the service: `image_generator_version` (sections 4.1 and 4.3). */
export type Quality = keyof typeof QUALITIES;

/** The field for an operation's qualities: all but those that the operation lacks. */
export function qualityField({ without = [] }: { without?: readonly Quality[] } = {}) {
	const offered = Object.entries(QUALITIES).filter(([each]) => !without.includes(each as Quality));
	return choice<Quality>({
		displayName: 'Quality',
		values: Object.fromEntries(offered) as typeof QUALITIES,
		description:
			"How good the image should be. Higher quality may take longer and cost more; see your service's price list.",
	});
}

/** The resolution, which only super_genius has (sections 4.1 and 4.3). */
export const resolution = choice({
	displayName: 'Resolution',
	values: { '2k': { name: '2K' }, '4k': { name: '4K' } },
	description: 'How large the image is. A 4K file is several times larger than a 2K file.',
	displayOptions: { show: { version: ['super_genius'] } },
});
