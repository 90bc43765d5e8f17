import { border, edits, isEditName, rotate, tint, usualShare } from './edits';
import type { Edit, EditName } from './edits';
import { parseWords, type Kind, type Word } from './vocabulary';

/** An edit that an instruction asks for. */
export interface Step {
	/** What the instruction was understood to mean. */
	name: string;
	edit: Edit;
}

/** A clause's words by kind; the first one counts. */
type Meanings = Partial<Record<Kind, string>>;

/** A longer instruction asks for more than these edits. */
const maxLength = 300;

/** What a clause may consist of, as kinds of words, and the edit that it asks for. */
const grammar: readonly [pattern: string, step: (words: Meanings) => Step | undefined][] = [
	// Make it look like a cartoon. Convert it to a grey image. Give it a vintage look.
	['make|turn? it? wholly? noun? look|grey|square noun|it?', toLook],
	['add|apply it? look|grey noun it?', toLook],
	['apply look|grey it?', toLook],
	// Make it 20% brighter. Less vivid colours. Give it a slightly warmer tone. Warm it up.
	['make|turn? it|colours? noun? amount* more? adjective noun|it|colours? amount*', toAdjective],
	['add|apply it? amount* more? adjective noun it?', toAdjective],
	['adjective it? up it?', toAdjective],
	// Brighten up the photo a bit. Slightly blur it. Add a blur effect. Invert its colours.
	['amount* verb|blur|invert it? up? it? amount*', toVerb],
	['add|apply|more it? amount* more? blur noun? it?', toVerb],
	['invert|reverse it? colours it?', () => stepOf('invert')],
	['wholly? remove it? colours it? wholly?', () => stepOf('grayscale')],
	// Desaturate it completely. Slightly desaturate the photo.
	['wholly? desaturate it? wholly?', () => stepOf('grayscale')],
	['amount* desaturate it? amount*', toDesaturation],
	['crop it? square', () => stepOf('square')],
	// Increase its contrast by 20%. Give it a bit more saturation. Add contrast. Boost the colours.
	['make|add|apply? it? amount* more it? quality|colours it? amount*', toQuality],
	['add it? quality it?', toQuality],
	['rotate it? angle? direction?', toRotation],
	['rotate|turn it? angle direction?', toRotation],
	['rotate|turn it? direction angle?', toRotation],
	['make|rotate|turn? it? upside-down', () => rotation(180)],
	['flip it? axis|upside-down?', toFlip],
	['axis flip it?', toFlip],
	// Put a black frame around it.
	['add? it? colour|shade|grey? border it?', toBorder],
	// Make it blue. Colour it green. Add a red tint.
	['make|turn|tint|colours it colour', toTint],
	['tint colour', toTint],
	['add|apply? it? colour noun|tint it?', toTint],
];

const rules = grammar.map(([pattern, step]) => ({ pattern: compile(pattern), step }));

const opposites = new Map<string, EditName>([
	['brighter', 'darker'],
	['darker', 'brighter'],
	['more contrast', 'less contrast'],
	['more colourful', 'less colourful'],
	['less colourful', 'more colourful'],
]);

/**
 * Parses an instruction into edits, in its order. Every word must be understood: if it contains a
 * negation or names a part of the picture, half of it could mean the opposite of the whole.
 *
 * @returns undefined if a part of the instruction is not understood
 */
export function parseInstruction(instruction: string): Step[] | undefined {
	if (instruction.length > maxLength) return undefined;
	const steps: Step[] = [];
	let more: Word[] = [];
	for (const clause of parseWords(instruction)) {
		// "Less bright and colourful" leaves open whether it is to be less colourful.
		if (more[0]?.meaning === 'less' && clause[0]?.kind === 'adjective') return undefined;
		// "Increase brightness and contrast": the second clause takes its verb from the first.
		const step = parseClause(clause) ?? parseClause([...more, ...clause]);
		if (!step) return undefined;
		steps.push(step);
		more = clause.filter(({ kind }) => kind === 'more').slice(0, 1);
	}
	return steps.length > 0 ? steps : undefined;
}

function parseClause(words: readonly Word[]): Step | undefined {
	const kinds = words.map(({ kind }) => `${kind} `).join('');
	const rule = rules.find(({ pattern }) => pattern.test(kinds));
	const meanings: Meanings = {};
	for (const { kind, meaning } of words) meanings[kind] ??= meaning;
	return rule?.step(meanings);
}

/** Compiles a pattern such as `make|turn? it look` to an expression for `make it look `. */
function compile(pattern: string): RegExp {
	const parts = pattern.replace(/([\w|-]+)([?*]?) ?/g, '(?:(?:$1) )$2');
	return new RegExp(`^${parts}$`);
}

function toLook({ look, grey, square }: Meanings): Step | undefined {
	return stepOf(look ?? grey ?? square);
}

function toAdjective(words: Meanings): Step | undefined {
	const { adjective = '', more, amount, colours } = words;
	const name = more === 'less' ? opposites.get(adjective) : adjective;
	if (colours !== undefined && name?.endsWith('colourful') !== true) return undefined;
	return stepOf(name, amount);
}

function toVerb({ verb, blur, invert, more, amount }: Meanings): Step | undefined {
	return more === 'less' ? undefined : stepOf(verb ?? blur ?? invert, amount);
}

function toDesaturation({ amount }: Meanings): Step | undefined {
	return stepOf('less colourful', amount);
}

function toQuality({ quality, colours, more, amount }: Meanings): Step | undefined {
	const name = quality ?? colours ?? '';
	return stepOf(more === 'less' ? opposites.get(name) : name, amount);
}

function toFlip({ flip, axis, 'upside-down': upsideDown }: Meanings): Step | undefined {
	return stepOf(axis ?? upsideDown ?? flip);
}

/** @param amount a share such as `20%`, or how many times the usual strength */
function stepOf(name: string | undefined, amount = '1'): Step | undefined {
	if (!isEditName(name)) return undefined;
	const edit = edits[name];
	const usual = usualShare[name];
	if (!amount.endsWith('%')) {
		return { name, edit: (...of) => edit(...of, (usual ?? 1) * Number(amount)) };
	}
	const percent = parseInt(amount);
	if (usual === undefined || percent < 1 || percent > 100) return undefined;
	return { name: `${name} ${amount}`, edit: (...of) => edit(...of, percent / 100) };
}

function toRotation({ angle, direction }: Meanings): Step | undefined {
	const degrees = Number(angle ?? 90);
	if (Math.abs(degrees) > 360 || (degrees < 0 && direction)) return undefined;
	return rotation(direction === 'left' ? -degrees : degrees);
}

function rotation(degrees: number): Step {
	return { name: `rotate ${degrees}`, edit: rotate(degrees) };
}

function toBorder({ colour, shade, grey }: Meanings): Step {
	const name = colour ?? shade ?? (grey === undefined ? 'white' : 'gray');
	return { name: `${name} border`, edit: border(name) };
}

function toTint({ colour = '' }: Meanings): Step {
	return { name: `tint ${colour}`, edit: tint(colour) };
}
