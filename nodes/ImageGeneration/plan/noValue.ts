/** A text that stands for a value that is not there. */
export interface NoValue {
	/** What was found. */
	text: string;
	meaning: 'missing' | 'not text' | 'sheet';
	/** Whether there is nothing else. */
	isWhole: boolean;
	/** Whether JavaScript writes it when it joins texts, so that it also counts within a longer one. */
	isJoined: boolean;
}

/** What counts as no value. */
const NO_VALUES = [
	{
		meaning: 'missing',
		pattern: /\b(?:undefined|null|NaN|Invalid Date(?:Time)?)\b/,
		isJoined: true,
	},
	{
		meaning: 'not text',
		pattern: /\[object Object\]/,
		isJoined: true,
	},
	{
		// What a sheet shows for a formula without a result, in any language: `#REF!`, `#NAME?`, `#¡VALOR!`, `#N/A`.
		meaning: 'sheet',
		pattern: /#(?:[¡¿]?\p{Lu}[^\s\p{Ll}]{0,20}[!?]|N\/\p{Lu})/u,
		isJoined: false,
	},
] as const;

/** Finds what counts as no value in a text. */
export function noValueIn(text: string): NoValue | undefined {
	for (const { meaning, pattern, isJoined } of NO_VALUES) {
		const found = pattern.exec(text)?.[0];
		if (found !== undefined) {
			return { text: found, meaning, isWhole: found === text.trim(), isJoined };
		}
	}
	return undefined;
}
