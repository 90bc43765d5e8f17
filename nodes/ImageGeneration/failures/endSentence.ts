/** Adds a period unless the text already ends a sentence. */
export function endSentence(text: string): string {
	return ['.', '!', '?'].includes(text.slice(-1)) ? text : `${text}.`;
}
