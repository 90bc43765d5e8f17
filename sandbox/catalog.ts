/** The tools by model id, the last path segment of a call (specification 1.5). */
export const toolIds = ['text2img', 'background-remover', 'image-editor'] as const;

export type Tool = (typeof toolIds)[number];

/** The values of `image_generator_version` (specification 4.1). */
export const qualities = ['standard', 'hd', 'genius', 'super_genius'] as const;

export type Quality = (typeof qualities)[number];

/** The quality that a call asks for; standard if it names none. */
export function qualityOf(settings: Readonly<Record<string, string>>): Quality {
	const asked = settings['image_generator_version'];
	return qualities.find((quality) => quality === asked) ?? 'standard';
}

/** What decides the price of a call: its quality, or its tool if that has none. */
export type PriceName = Quality | 'background-remover';

/** Wallet prices in US cents. The specification (8, rule 5) does not set them. */
export const prices: Readonly<Record<PriceName, number>> = {
	standard: 5,
	hd: 8,
	genius: 12,
	super_genius: 25,
	'background-remover': 5,
};
