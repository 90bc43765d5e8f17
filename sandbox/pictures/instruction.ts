import { border, edits, rotate, tint, type Edit, type EditName } from './edits';

/** An edit that an instruction asks for. */
export interface Step {
	/** What the instruction was understood to mean. */
	name: string;
	edit: Edit;
}

/** A longer instruction asks for more than these edits. */
const maxLength = 300;

const colours = 'red|orange|yellow|green|blue|purple|pink';

/** Looks, for "make it …", "a … look", or the word alone. */
const looks: Record<string, EditName> = {
	...named('grayscale', 'grayscale', 'monochrome', 'monochromatic', 'colourless'),
	...named('sepia', 'sepia', 'sepia-toned', 'vintage', 'old-fashioned'),
	...named('invert', 'inverted'),
	...named('brighter', 'bright', 'brighter', 'lighter', 'less dark', 'more bright'),
	...named('darker', 'dark', 'darker', 'less bright', 'more dark', 'dim', 'dimmer'),
	...named('more contrast', 'high-contrast'),
	...named('less contrast', 'low-contrast'),
	...named('more colourful', 'colourful', 'more colourful', 'vibrant', 'more vibrant', 'vivid'),
	...named('more colourful', 'more vivid', 'saturated', 'more saturated'),
	...named('less colourful', 'less colourful', 'less vibrant', 'less vivid', 'less saturated'),
	...named('less colourful', 'muted', 'pale', 'paler', 'more muted'),
	...named('warmer', 'warm', 'warmer'),
	...named('cooler', 'cooler', 'cold', 'colder'),
	...named('blur', 'blurry', 'blurred', 'blurrier', 'out-of-focus', 'softer', 'more blurry'),
	...named('sharpen', 'sharp', 'sharper', 'crisp', 'crisper', 'more crisp'),
	...named('mirror', 'mirrored'),
	...named('square', 'square'),
	...named('pixelate', 'pixelated', 'mosaic'),
	...named('posterize', 'cartoon', 'cartoonish', 'cartoon-like', 'comic', 'posterized'),
};

/** Actions, for "… it" or the words alone. */
const actions: Record<string, EditName> = {
	...named('grayscale', 'desaturate', 'remove colours', 'remove all colours'),
	...named('invert', 'invert', 'negate', 'invert colours', 'reverse colours'),
	...named('brighter', 'brighten', 'brighten up', 'lighten', 'increase brightness'),
	...named('brighter', 'raise brightness', 'more brightness', 'turn up brightness'),
	...named('darker', 'darken', 'dim', 'reduce brightness', 'decrease brightness'),
	...named('darker', 'lower brightness', 'less brightness', 'turn down brightness'),
	...named('more contrast', 'more contrast', 'increase contrast', 'add contrast'),
	...named('more contrast', 'raise contrast', 'boost contrast', 'add more contrast'),
	...named('less contrast', 'less contrast', 'reduce contrast', 'lower contrast'),
	...named('less contrast', 'decrease contrast'),
	...named('more colourful', 'saturate', 'increase saturation', 'boost saturation'),
	...named('more colourful', 'more saturation', 'boost colours'),
	...named('less colourful', 'reduce saturation', 'decrease saturation', 'lower saturation'),
	...named('less colourful', 'less saturation', 'mute colours'),
	...named('warmer', 'warm', 'warm up'),
	...named('cooler', 'cool down'),
	...named('blur', 'blur', 'soften', 'add blur'),
	...named('sharpen', 'sharpen', 'sharpen up'),
	...named('mirror', 'mirror', 'flip', 'flip horizontally', 'mirror horizontally', 'flip sideways'),
	...named('flip', 'flip vertically', 'mirror vertically', 'vertical flip'),
	...named('mirror', 'horizontal flip'),
	...named('square', 'crop square', 'crop to square', 'crop into square'),
	...named('pixelate', 'pixelate', 'pixelize'),
	...named('posterize', 'posterize', 'cartoonize', 'cartoonify'),
};

/**
 * Parses an instruction into edits, in its order. Every word must be understood: if it contains a
 * negation or names a part of the picture, half of it could mean the opposite of the whole.
 *
 * @returns undefined if a part of the instruction is not understood
 */
export function parseInstruction(instruction: string): Step[] | undefined {
	if (instruction.length > maxLength) return undefined;
	const steps = splitClauses(instruction).map(parseClause);
	const known = steps.filter((step) => step !== undefined);
	return known.length > 0 && known.length === steps.length ? known : undefined;
}

/** Splits an instruction into clauses: lower case, one spelling per word, no filler words. */
function splitClauses(instruction: string): string[] {
	const words = instruction
		.toLowerCase()
		.replace(/[’']/g, "'")
		.replace(/[−–]/g, '-')
		.replace(/[.!,;:]+(?=\s|$)/g, ' , ')
		.replace(/\b(black (and|&) white|b ?& ?w|bw)\b/g, 'grayscale')
		.replace(/\bgr[ae]y[- ]?scale\b/g, 'grayscale')
		.replace(/\bcolor/g, 'colour')
		.replace(/\bcolour(?!s|ful|less)\b/g, 'colours')
		.replace(/(posteri|cartooni|pixeli|colouri)s(e|ed)\b/g, '$1z$2')
		.replace(/\b(high|low|old|out of) (contrast|fashioned|focus)\b/g, (text) =>
			text.replace(/ /g, '-'),
		)
		.replace(/\b(can|could|would) you\b|\bi('d| would) like you to\b|\bi want you to\b/g, ' ')
		.replace(/\b(please|kindly|just|now|slightly|somewhat|a bit|a little|a lot|much|very)\b/g, ' ')
		.replace(/\b(the|this|my) (whole |entire )?(image|photo|picture|photograph)\b/g, 'it')
		.replace(/\b(the|a|an|some)\b/g, ' ')
		.replace(/(\d) ?(°|deg(rees?)?\b)/g, '$1 degrees');
	return words
		.split(/,|\band then\b|\bthen\b|\band\b/)
		.map((clause) => clause.replace(/\?/g, ' ').trim().replace(/\s+/g, ' '))
		.filter((clause) => clause !== '');
}

function parseClause(clause: string): Step | undefined {
	return (
		parseRotation(clause) ??
		parseBorder(clause) ??
		parseTint(clause) ??
		parseLook(clause) ??
		parseAction(clause)
	);
}

function parseLook(clause: string): Step | undefined {
	const asked =
		/^(?:make|turn|convert|change|render) it (?:(?:in)?to |look )?(.+?)(?: image| photo)?$/.exec(
			clause,
		)?.[1] ??
		/^(?:make|give|apply|add|use)(?: it)? (.+) (?:look|filter|effect|tone|style)(?: to it)?$/.exec(
			clause,
		)?.[1] ??
		clause;
	const name = Object.hasOwn(looks, asked) ? looks[asked] : undefined;
	if (name) return { name, edit: edits[name] };
	// People write "give it more contrast", but not "make it more contrast".
	return /^give it (?:more|less) /.test(clause)
		? parseAction(clause.slice('give it '.length))
		: undefined;
}

function parseAction(clause: string): Step | undefined {
	const asked = clause.replace(/ (?:of |in |to )?it\b|^it /, '').replace(/ it /, ' ');
	const name = Object.hasOwn(actions, asked) ? actions[asked] : undefined;
	return name && { name, edit: edits[name] };
}

function parseRotation(clause: string): Step | undefined {
	if (/^(turn|rotate)( it)? upside[- ]down$|^upside[- ]down$/.test(clause)) {
		return { name: 'rotate 180', edit: rotate(180) };
	}
	const match =
		/^(?:rotate|turn)(?: it)?(?: by)?(?: (-?\d{1,3})(?: degrees)?)?(?: (?:to )?(right|left|clockwise|(?:counter|anti)[- ]?clockwise))?(?: by (\d{1,3})(?: degrees)?)?$/.exec(
			clause,
		);
	if (!match) return undefined;
	const [text, before, direction, after] = match;
	// "turn it" alone could mean anything.
	if (before === undefined && after === undefined && !direction && text !== 'rotate') {
		if (text !== 'rotate it') return undefined;
	}
	if (before !== undefined && after !== undefined) return undefined;
	const degrees = Number(before ?? after ?? 90);
	if (Math.abs(degrees) > 360 || (degrees < 0 && direction)) return undefined;
	const clockwise = direction === undefined || direction === 'right' || direction === 'clockwise';
	const turned = clockwise ? degrees : -degrees;
	return { name: `rotate ${turned}`, edit: rotate(turned) };
}

function parseBorder(clause: string): Step | undefined {
	const pattern = new RegExp(
		`^(?:add|put|draw|with)(?: (white|black|${colours}))? (?:border|frame)(?: (?:to|around) it)?$`,
	);
	const match = pattern.exec(clause);
	if (!match) return undefined;
	const colour = match[1] ?? 'white';
	return { name: `${colour} border`, edit: border(colour) };
}

function parseTint(clause: string): Step | undefined {
	const patterns = [
		`^(?:make|turn|tint|colours|paint)(?: it)? (${colours})$`,
		`^(?:add|apply|give it|use) (${colours}) (?:tint|tone|filter)(?: to it)?$`,
		`^(${colours}) tint$`,
	];
	const colour = patterns
		.map((pattern) => new RegExp(pattern).exec(clause)?.[1])
		.find((found) => found !== undefined);
	return colour === undefined ? undefined : { name: `tint ${colour}`, edit: tint(colour) };
}

function named(name: EditName, ...words: string[]): Record<string, EditName> {
	return Object.fromEntries(words.map((word) => [word, name]));
}
