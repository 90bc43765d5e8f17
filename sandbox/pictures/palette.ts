import type { Random } from './random';

/** Colours as hue (degrees), saturation and lightness (percent). */
export type Hsl = readonly [hue: number, saturation: number, lightness: number];

/** The colours of a picture. */
export interface Palette {
	/** At the top and at the horizon. */
	sky: readonly [Hsl, Hsl];
	sun: Hsl;
	land: Hsl;
	subject: Hsl;
}

const named = new Map<string, Hsl>([
	['red', [6, 75, 50]],
	['orange', [26, 90, 54]],
	['yellow', [50, 92, 56]],
	['golden', [44, 80, 50]],
	['green', [128, 50, 40]],
	['turquoise', [174, 60, 50]],
	['blue', [214, 75, 50]],
	['purple', [276, 55, 46]],
	['pink', [338, 75, 70]],
	['brown', [24, 45, 34]],
	['black', [230, 12, 14]],
	['white', [210, 20, 94]],
	['grey', [215, 8, 55]],
	['gray', [215, 8, 55]],
]);

const skies = new Map<string, Palette['sky']>([
	[
		'night',
		[
			[232, 55, 12],
			[256, 42, 30],
		],
	],
	[
		'sunset',
		[
			[262, 45, 38],
			[24, 92, 66],
		],
	],
	[
		'sunrise',
		[
			[212, 55, 62],
			[36, 95, 78],
		],
	],
	[
		'storm',
		[
			[214, 18, 30],
			[210, 14, 58],
		],
	],
	[
		'snow',
		[
			[208, 38, 78],
			[210, 40, 95],
		],
	],
]);

/** Picks the colours that the words name, and others by chance. */
export function pickPalette(words: readonly string[], random: Random): Palette {
	const hue = random.between(0, 360);
	const bySky: Palette['sky'] = [
		[196 + random.between(-10, 40), 62, random.between(42, 58)],
		[hue, 55, 84],
	];
	const byLand: Hsl = [random.between(90, 260), 30, random.between(26, 38)];
	const [subject, land] = words.flatMap((word) => (named.has(word) ? [named.get(word)] : []));
	return {
		sky: words.map((word) => skies.get(word)).find((sky) => sky !== undefined) ?? bySky,
		sun: [46, 95, words.includes('night') ? 90 : 76],
		land: land ?? byLand,
		subject: subject ?? [(hue + 160) % 360, 66, 54],
	};
}

/** Formats a colour for CSS. */
export function css([hue, saturation, lightness]: Hsl): string {
	return `hsl(${hue.toFixed(0)},${saturation.toFixed(0)}%,${lightness.toFixed(0)}%)`;
}
