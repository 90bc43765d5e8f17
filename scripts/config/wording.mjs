/**
 * Expressions that this project doesn't use, each with a better one. ESLint reports them in Markdown
 * and in strings of the code. The first part is a regular expression without slashes.
 * @type {ReadonlyArray<[unwanted: string, better: string]>}
 */
const wording = [
	['surely', 'definitely'],
	['anew', 'again'],
	['(is|are|was|were) told of', 'receives'],
	['look into (your|the) account', 'check your account'],
	['what (a job|an item|it|the job|the item) came to', 'result'],
	['trouble of its own', 'trouble'],
	['under way', 'in progress'],
	['goes? astray', 'is lost'],
	['in mid-run', 'during a run'],
	['error rows?', 'error item'],
	['paid calls?', 'paid request'],
	['may well', 'is likely to'],
	['stands? (at|below|above|beside|there)', 'is'],
	['as it came', 'unchanged'],
	['too(?=[.;:)]|$)', 'also'],
];

/**
 * Options for ESLint's no-restricted-syntax.
 * @param {string[]} places selectors with `$` in place of the pattern, such as `text[value=$]`
 */
export function restrictedWording(places) {
	return wording.flatMap(([unwanted, better]) => {
		const pattern = `/(?<!\\w)(${unwanted.replaceAll(' ', '\\s+')})(?!\\w)/i`;
		const message = `Reword this, for example with "${better}" (scripts/config/wording.mjs).`;
		return places.map((place) => ({ selector: place.replace('$', () => pattern), message }));
	});
}
