/** A text that ends as a sentence does, so that another one can follow. */
export function endSentence(text: string): string {
	return ['.', '!', '?'].includes(text.slice(-1)) ? text : `${text}.`;
}
