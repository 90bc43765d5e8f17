/** What the service offers. The page and openapi.json get it from here too. */

/** The tools by model id, the last path segment of a call (specification 1.5), with their names. */
export const toolNames = {
	text2img: 'Generate Image',
	'background-remover': 'Remove Background',
	'image-editor': 'Edit Photo',
} as const;

export type Tool = keyof typeof toolNames;

export const toolIds = Object.keys(toolNames) as readonly Tool[];

/** The values of `image_generator_version` (specification 4.1). */
export const qualities = ['standard', 'hd', 'genius', 'super_genius'] as const;

export type Quality = (typeof qualities)[number];

/** The quality that a call asks for; standard if it names none. */
export function qualityOf(settings: Readonly<Record<string, string>>): Quality {
	const asked = settings['image_generator_version'];
	return qualities.find((quality) => quality === asked) ?? 'standard';
}

/** Sizes in pixels, width x height, by their shape. */
type Sizes = Record<'Square' | 'Landscape' | 'Wide' | 'Portrait' | 'Tall', `${number}x${number}`>;

/** "Recommended standard sizes" (specification 4.1). */
const standardSizes: Sizes = {
	Square: '512x512',
	Landscape: '1024x720',
	Wide: '1024x576',
	Portrait: '768x1024',
	Tall: '576x1024',
};

/** "Recommended HD sizes" (specification 4.1). */
const hdSizes: Sizes = {
	Square: '1024x1024',
	Landscape: '1152x896',
	Wide: '1216x832',
	Portrait: '896x1152',
	Tall: '832x1216',
};

export const recommendedSizes: Readonly<Record<Quality, Sizes>> = {
	standard: standardSizes,
	hd: hdSizes,
	genius: hdSizes,
	super_genius: hdSizes,
};

/** What decides the price of a call: its quality, or its tool if that has none. */
export type PriceName = Quality | 'background-remover';

/** Wallet prices in US cents. */
export type Prices = Readonly<Record<PriceName, number>>;

/** The specification (8, rule 5) does not set them. */
export const defaultPrices: Prices = {
	standard: 5,
	hd: 8,
	genius: 12,
	super_genius: 25,
	'background-remover': 5,
};

export const priceNames = Object.keys(defaultPrices) as readonly PriceName[];
