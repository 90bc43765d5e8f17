/** Whether a text begins like a web address. */
export function beginsLikeWebAddress(text: string): boolean {
	return /^https?:\/\//i.test(text);
}

/** Whether a text is a web address. URL parsers also accept `http:/x`, which a service may reject. */
export function isWebAddress(text: string): boolean {
	return beginsLikeWebAddress(text) && URL.canParse(text);
}
