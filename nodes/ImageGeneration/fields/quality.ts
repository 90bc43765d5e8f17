import { choice, type Field, type Fields, type ReadField } from './field';

const QUALITIES = {
	standard: { name: 'Standard', description: "The service's normal quality" },
	hd: { name: 'HD', description: 'For larger images, such as 1024 × 1024 pixels' },
	genius: { name: 'Genius', description: 'Higher quality and more detail' },
	super_genius: {
		name: 'Super Genius',
		description: 'Higher quality and more detail, in 2K or 4K. The files are large.',
	},
};

/** A quality tier of the service: `image_generator_version` (sections 4.1 and 4.3). */
export type Quality = keyof typeof QUALITIES;

/** The field for an operation's qualities. */
export function qualityField<Q extends Quality>(...qualities: Q[]): Field<Q> {
	return choice({
		displayName: 'Quality',
		values: Object.fromEntries(qualities.map((quality) => [quality, QUALITIES[quality]])) as Record<
			Q,
			(typeof QUALITIES)[Quality]
		>,
		description:
			"How good the image should be. Higher quality may take longer and cost more; see your service's price list.",
	});
}

/** Only super_genius has a resolution (sections 4.1 and 4.3). */
export const resolutionField = {
	resolution: choice({
		displayName: 'Resolution',
		values: { '2k': '2K', '4k': '4K' },
		description: 'How large the image is. A 4K file is several times larger than a 2K file.',
		displayOptions: { show: { version: ['super_genius'] } },
	}),
} satisfies Fields;

/** The resolution to send, if the quality has one. */
export function readResolution(
	read: ReadField<typeof resolutionField>,
	quality: Quality,
): { resolution?: string } {
	return quality === 'super_genius' ? { resolution: read('resolution') } : {};
}
