import type { Random } from './random';

/** Colours as hue (degrees), saturation and lightness (percent). */
export type Hsl = readonly [hue: number, saturation: number, lightness: number];

/** The colours of a picture. */
export interface Palette {
	sky: readonly [Hsl, Hsl];
	sun: Hsl;
	land: Hsl;
	subject: Hsl;
}

const named: Record<string, Hsl> = {
	red: [6, 75, 50],
	crimson: [348, 80, 42],
	orange: [26, 90, 54],
	amber: [40, 92, 52],
	yellow: [50, 92, 56],
	gold: [44, 80, 50],
	golden: [44, 80, 50],
	green: [128, 50, 40],
	emerald: [152, 62, 38],
	teal: [178, 60, 36],
	turquoise: [174, 60, 50],
	cyan: [188, 75, 50],
	blue: [214, 75, 50],
	navy: [222, 60, 28],
	indigo: [250, 50, 42],
	purple: [276, 55, 46],
	violet: [270, 60, 56],
	magenta: [310, 70, 50],
	pink: [338, 75, 70],
	brown: [24, 45, 34],
	black: [230, 12, 14],
	white: [210, 20, 94],
	grey: [215, 8, 55],
	gray: [215, 8, 55],
	silver: [210, 12, 74],
};

const skies: Record<string, readonly [Hsl, Hsl]> = {
	night: [
		[232, 55, 12],
		[256, 42, 30],
	],
	sunset: [
		[262, 45, 38],
		[24, 92, 66],
	],
	sunrise: [
		[212, 55, 62],
		[36, 95, 78],
	],
	storm: [
		[214, 18, 30],
		[210, 14, 58],
	],
	snow: [
		[208, 38, 78],
		[210, 40, 95],
	],
	desert: [
		[204, 60, 66],
		[38, 80, 82],
	],
};

/** Picks the colours that the prompt names, except those that the negative prompt excludes. */
export function pickPalette(words: string[], unwanted: string[], random: Random): Palette {
	const free = (word: string) => !unwanted.includes(word);
	const isColour = (word: string) => Object.hasOwn(named, word);
	const asked = words.filter((word) => isColour(word) && free(word));
	const sky = skies[words.find((word) => Object.hasOwn(skies, word) && free(word)) ?? ''];
	const hue = random.between(0, 360);
	const banned = unwanted.filter(isColour).flatMap((word) => {
		const [other = 0, saturation = 0] = named[word] ?? [];
		return saturation > 20 ? [other] : [];
	});
	const away = (from: number) => {
		const near = banned.some((other) => Math.abs(((from - other + 540) % 360) - 180) < 45);
		return near ? (from + 100) % 360 : from;
	};
	const [first, second] = asked;
	return {
		sky: sky ?? [
			[away(196 + random.between(-10, 40)), 62, random.between(42, 58)],
			[away(hue), 55, 84],
		],
		sun: [away(46), 95, words.includes('night') && free('night') ? 90 : 76],
		land: named[second ?? ''] ?? [away(random.between(90, 260)), 30, random.between(26, 38)],
		subject: named[first ?? ''] ?? [away((hue + 160) % 360), 66, 54],
	};
}

/** Formats a colour for CSS. @param lighter percentage points to add to its lightness */
export function css([hue, saturation, lightness]: Hsl, lighter = 0): string {
	const light = Math.min(98, Math.max(4, lightness + lighter));
	return `hsl(${hue.toFixed(0)},${saturation.toFixed(0)}%,${light.toFixed(0)}%)`;
}
