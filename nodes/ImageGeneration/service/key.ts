import { BadInput } from '../failures/failures';

/** What stands in place of the key. */
export const BLANK = '•••';

// A shorter key could be an everyday word, and blanking it out would garble what the service says.
const SHORTEST_HIDDEN_KEY = 8;
const MAX_LENGTH = 2000;

/**
 * The trimmed key.
 * @throws BadInput when it is empty or can't stand in a header.
 */
export function parseKey(pasted: unknown): string {
	const key = typeof pasted === 'string' ? pasted.trim() : '';
	if (key === '') {
		throw new BadInput(
			"'API Key' in the credential is empty.",
			"Copy the key from your account's dashboard.",
		);
	}
	if (key.length > MAX_LENGTH) {
		throw new BadInput(
			`'API Key' in the credential is ${key.length} characters long. Allowed: up to ${MAX_LENGTH}.`,
			"Copy the key again from your account's dashboard.",
		);
	}
	if (key.includes('\n') || key.includes('\r')) {
		throw new BadInput(
			"'API Key' in the credential contains a line break. Allowed: one line of plain characters.",
			'Paste the key again, without the line break.',
		);
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new BadInput(
			"'API Key' in the credential contains a space or a special character. Allowed: one line of plain characters.",
			"Copy the key again from your account's dashboard.",
		);
	}
	return key;
}

/**
 * A function that blanks the key out of a text, however the key is spelled there: in any case,
 * escaped for JSON, for an address (twice as well) or for HTML, or in a mixture of these.
 */
export function keyHider(key: string): (text: string) => string {
	if (key.length < SHORTEST_HIDDEN_KEY) return (text) => text;
	const pattern = new RegExp(Array.from(key, spellings).join(''), 'gi');
	return (text) => text.replace(pattern, BLANK);
}

/** One character of a key, as a pattern. All repetitions are bounded, so it takes linear time. */
function spellings(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16);
	const forms = [
		`%(?:25){0,2}${hex}`,
		`&#(?:0{0,5}${code}|x0{0,4}${hex});`,
		...(NAMED[character] ?? []).map((name) => `&${name};`),
		// Last, as `%`, `&` and the backslash begin other forms of themselves.
		`\\\\{0,4}(?:u00${hex}|\\x${hex})`,
	];
	return `(?:${forms.join('|')})`;
}

const NAMED: Record<string, string[]> = {
	'&': ['amp'],
	'<': ['lt'],
	'>': ['gt'],
	'"': ['quot'],
	"'": ['apos'],
	'+': ['plus'],
	'/': ['sol'],
	'=': ['equals'],
};
