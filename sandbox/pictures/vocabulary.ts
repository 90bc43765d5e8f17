const filler = `a an the some whole entire all this my to into in by of from around with on just now
	please kindly also can-you could-you would-you will-you i-want-you-to i-would-like-you-to
	i'd-like-you-to`;

const colours = ['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink'] as const;

/** Kinds of words, and the words for each meaning. A hyphen also stands for a space. */
const vocabulary = {
	make: { make: 'make convert change render transform' },
	add: { add: 'add give put draw use' },
	apply: { apply: 'apply' },
	turn: { turn: 'turn' },
	it: { it: `it its image image's photo photo's picture picture's photograph everything` },
	noun: { noun: 'look look-like like effect filter style tone version feel' },
	up: { up: 'up' },
	more: {
		more: 'more increase raise boost higher turn-up',
		less: 'less reduce decrease lower turn-down',
	},
	wholly: { wholly: 'completely entirely fully totally' },
	amount: { '0.5': 'slightly somewhat bit little', '1.6': 'much very lot strongly' },
	look: {
		grayscale: `grayscale gray-scale monochrome monochromatic colorless desaturated black-and-white
			b-and-w bw without-color without-colors`,
		sepia: 'sepia sepia-toned vintage retro old-fashioned',
		invert: 'inverted negative',
		mirror: 'mirrored',
		pixelate: 'pixelated mosaic pixel-art',
		posterize: 'cartoon cartoonish cartoon-like comic comic-book posterized',
	},
	grey: { grayscale: 'gray' },
	square: { square: 'square' },
	adjective: {
		brighter: 'bright brighter lighter',
		darker: 'dark darker dim dimmer',
		'more contrast': 'high-contrast',
		'less contrast': 'low-contrast',
		'more colourful': 'colorful vibrant vivid saturated',
		'less colourful': 'muted pale paler',
		warmer: 'warm warmer',
		cooler: 'cold colder cooler',
		blur: 'blurry blurred blurrier softer out-of-focus',
		sharpen: 'sharp sharper crisp crisper',
	},
	quality: { brighter: 'brightness', 'more contrast': 'contrast', 'more colourful': 'saturation' },
	colours: { 'more colourful': 'color colors' },
	desaturate: { desaturate: 'desaturate' },
	verb: {
		brighter: 'brighten lighten',
		darker: 'darken',
		'more colourful': 'saturate',
		sharpen: 'sharpen',
		pixelate: 'pixelate pixelize',
		posterize: 'posterize cartoonize cartoonify',
	},
	blur: { blur: 'blur soften' },
	invert: { invert: 'invert negate' },
	reverse: { invert: 'reverse' },
	remove: { remove: 'remove' },
	crop: { crop: 'crop' },
	rotate: { rotate: 'rotate' },
	direction: {
		right: 'right clockwise',
		left: 'left counterclockwise counter-clockwise anticlockwise anti-clockwise',
	},
	'upside-down': { flip: 'upside-down' },
	flip: { mirror: 'flip mirror' },
	axis: { mirror: 'horizontally horizontal sideways', flip: 'vertically vertical' },
	border: { border: 'border frame' },
	tint: { tint: 'tint colorize paint' },
	colour: Object.fromEntries(colours.map((colour) => [colour, colour])),
	shade: { white: 'white', black: 'black' },
} satisfies Record<string, Record<string, string>>;

/** A number of degrees, or what a word of the vocabulary can be. */
export type Kind = keyof typeof vocabulary | 'angle' | 'unknown';

/** A word or phrase of an instruction. */
export interface Word {
	kind: Kind;
	/** The spelling that stands for all words with this meaning. */
	meaning: string;
}

const fillers = new Set(filler.split(/\s+/));
const known = new Map<string, Word>();
for (const [kind, meanings] of Object.entries(vocabulary)) {
	for (const [meaning, words] of Object.entries(meanings)) {
		for (const word of words.split(/\s+/)) known.set(word, { kind: kind as Kind, meaning });
	}
}
const phrases = [...known.keys(), ...fillers].filter((word) => word.includes('-'));

/** Splits an instruction into clauses and their words into kinds, without filler words. */
export function parseWords(instruction: string): Word[][] {
	const words = phrases.reduce(
		(text, phrase) => text.replaceAll(` ${phrase.replaceAll('-', ' ')} `, ` ${phrase} `),
		` ${spell(instruction)} `,
	);
	return words
		.split(/ [.!,;:? ]+ |(?<= )(?:and|then)(?= )/)
		.map((clause) => clause.split(' ').filter((word) => word !== '' && !fillers.has(word)))
		.filter((clause) => clause.length > 0)
		.map((clause) => clause.map(toWord));
}

/** Writes each word in one way: lower case, American, a number together with its unit. */
function spell(instruction: string): string {
	return instruction
		.toLowerCase()
		.replace(/’/g, "'")
		.replace(/[−–]/g, '-')
		.replace(/&/g, ' and ')
		.replace(/[.!,;:?]+(?=\s|$)/g, ' $& ')
		.replace(/\bgrey/g, 'gray')
		.replace(/colour/g, 'color')
		.replace(/(posteri|cartooni|pixeli|colori)s(e|ed)\b/g, '$1z$2')
		.replace(/(\d) ?(°|deg(rees?)?\b)/g, '$1°')
		.replace(/(\d) ?(%|percent\b)/g, '$1%')
		.replace(/\s+/g, ' ');
}

function toWord(word: string): Word {
	if (/^-?\d{1,3}°?$/.test(word)) return { kind: 'angle', meaning: word.replace('°', '') };
	if (/^\d{1,3}%$/.test(word)) return { kind: 'amount', meaning: word };
	return known.get(word) ?? { kind: 'unknown', meaning: word };
}
