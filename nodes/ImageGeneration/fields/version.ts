import type { Field, ReadParameter } from '../types';
import { oneOf } from './check';

const NAMES = {
	standard: { name: 'Standard', description: "The service's default" },
	hd: { name: 'HD', description: 'For larger images of about one megapixel' },
	genius: { name: 'Genius', description: 'Higher quality and more detail' },
	super_genius: {
		name: 'Super Genius',
		description: 'Higher quality and more detail, in 2K or 4K. Largest files.',
	},
} as const;

/** A quality tier of the service: `image_generator_version` (sections 4.1 and 4.3). */
export type Version = keyof typeof NAMES;

/** The field for an operation's quality tiers. */
export function versionField(versions: readonly Version[]): Field<'version'> {
	return {
		displayName: 'Quality',
		name: 'version',
		type: 'options',
		options: versions.map((value) => ({ ...NAMES[value], value })),
		default: 'standard',
		description: "Higher quality may take longer and cost more. See your service's price list.",
	};
}

/** @throws BadInput if the operation does not have this tier. */
export function readVersion<T extends Version>(
	read: ReadParameter<'version'>,
	versions: readonly T[],
): T {
	return oneOf('Quality', read('version'), versions);
}

/** Only super_genius has a resolution (sections 4.1 and 4.3). */
export const resolutionField: Field<'resolution'> = {
	displayName: 'Resolution',
	name: 'resolution',
	type: 'options',
	options: [
		{ name: '2K', value: '2k' },
		{ name: '4K', value: '4k' },
	],
	default: '2k',
	description: 'How large the image is. A 4K file is several times larger than a 2K file.',
	displayOptions: { show: { version: ['super_genius'] } },
};

/** @throws BadInput if the tier has a resolution and the value is invalid. */
export function readResolution(
	read: ReadParameter<'resolution'>,
	version: Version,
): { resolution?: string } {
	if (version !== 'super_genius') return {};
	return { resolution: oneOf('Resolution', read('resolution'), ['2k', '4k']) };
}
