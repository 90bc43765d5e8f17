import { BadInput } from '../failures/failures';

/** Replaces the key in texts. */
export const BLANK = '•••';

// A shorter key could be a common word, and hiding it would garble messages.
const SHORTEST_HIDDEN_KEY = 8;
/** JavaScript can't compile the pattern to hide more than about 2,350 characters (Node 20.20). */
const ALLOWED = /^[\x21-\x7e]{1,2000}$/;
/** Characters by which a key is found. More would take too long in a text made of almost-keys. */
const FOUND_BY = 32;

/**
 * The trimmed key.
 * @throws BadInput if it is empty, too long or not allowed in a header.
 */
export function parseKey(pasted: unknown): string {
	const key = typeof pasted === 'string' ? pasted.trim() : '';
	if (key === '') {
		throw new BadInput(
			"'API Key' in the credential is empty.",
			"Copy the key from your account's dashboard.",
		);
	}
	if (ALLOWED.test(key)) return key;
	throw new BadInput(
		"'API Key' in the credential is not a key. Allowed: up to 2,000 plain characters without spaces or line breaks.",
		"Copy the key again from your account's dashboard.",
	);
}

/**
 * Returns a function that hides the key in a text, in any spelling: upper or lower case, escaped for
 * JSON, URLs (even twice) or HTML, or a mixture of these. A long key is hidden even if its end is missing.
 */
export function keyHider(key: string): (text: string) => string {
	if (key.length < SHORTEST_HIDDEN_KEY) return (text) => text;
	const parts = key.match(new RegExp(`.{1,${FOUND_BY}}`, 'g')) ?? [];
	const patterns = parts.map((part) => Array.from(part, spellings).join(''));
	const pattern = new RegExp(
		patterns.reduceRight((rest, part) => `${part}(?:${rest})?`),
		'gi',
	);
	return (text) => text.replace(pattern, BLANK);
}

/** A pattern for one character of a key. Repetitions are bounded, so matching takes linear time. */
function spellings(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16);
	const forms = [
		`${PERCENT}(?:25){0,2}${hex}`,
		`${AMPERSAND}#(?:0{0,5}${code}|x0{0,4}${hex});`,
		...(character in NAMED ? [`${AMPERSAND}${NAMED[character]};`] : []),
		// Last, because `%`, `&` and the backslash also begin other forms.
		`\\\\{0,4}(?:u00${hex}|\\x${hex})`,
	];
	return `(?:${forms.join('|')})`;
}

// As JSON may write them.
const PERCENT = '(?:%|\\\\{1,4}u0025)';
const AMPERSAND = '(?:&|\\\\{1,4}u0026)';

/** Names in HTML. */
const NAMED: Record<string, string> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
	'+': 'plus',
	'/': 'sol',
	'=': 'equals',
};
