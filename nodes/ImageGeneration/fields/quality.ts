import { choice } from './field';

/** The service's two lists of recommended sizes (section 4.1). */
export type RecommendedSizes = 'standard' | 'higher';

interface QualityEntry {
	name: string;
	description: string;
	/** Which sizes it has. */
	sizes: RecommendedSizes;
}

/** All qualities, in the order that n8n lists them; the first is the default. */
const QUALITIES = {
	standard: {
		name: 'Standard',
		description: "The service's normal quality",
		sizes: 'standard',
	},
	hd: {
		name: 'HD',
		description: 'For larger images, such as 1024 × 1024 pixels',
		sizes: 'higher',
	},
	genius: {
		name: 'Genius',
		description: 'Higher quality and more detail',
		sizes: 'higher',
	},
	super_genius: {
		name: 'Super Genius',
		description: 'Higher quality and more detail, in 2K or 4K. The files are large.',
		sizes: 'higher',
	},
} satisfies Record<string, QualityEntry>;

/** A quality tier of the service: `image_generator_version` (sections 4.1 and 4.3). */
export type Quality = keyof typeof QUALITIES;

/** The sizes that a quality has. */
export function sizesOf(quality: Quality): RecommendedSizes {
	return QUALITIES[quality].sizes;
}

/** The names of the qualities that have these sizes. */
export function qualitiesWith(sizes: RecommendedSizes): string[] {
	const entries: QualityEntry[] = Object.values(QUALITIES);
	return entries.filter((entry) => entry.sizes === sizes).map(({ name }) => name);
}

/** The field for an operation's qualities: all but those that the operation lacks. */
export function qualityField({ without = [] }: { without?: readonly Quality[] } = {}) {
	const offered = (Object.keys(QUALITIES) as Quality[]).filter((each) => !without.includes(each));
	const shown = offered.map((quality) => {
		const { name, description } = QUALITIES[quality];
		return [quality, { name, description }] as const;
	});
	return choice<Quality>({
		displayName: 'Quality',
		values: Object.fromEntries(shown) as Record<Quality, { name: string; description: string }>,
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
