/**
 * Writes a call as a curl command for a shell. A file is read from the current folder.
 *
 * @param {import('../service/control/callView.js').CallView} call
 * @param {string} origin
 * @param {string} apiKey
 */
export function toCurl({ method, path, fields, files }, origin, apiKey) {
	// curl itself posts what has a form.
	const posts = method === 'POST' && fields.length + files.length > 0;
	const parts = [
		...(posts ? [] : ['-X', quote(method)]),
		'-H',
		quote(`api-key: ${apiKey}`),
		...fields.flatMap(([name, value]) => ['--form-string', quote(`${name}=${value}`)]),
		...files.flatMap(({ field, fileName }) => [
			'-F',
			quote(`${field}=@"${fileName.replace(/["\\]/g, '\\$&')}"`),
		]),
	];
	return ['curl', ...parts, quote(origin + path)].join(' ');
}

/**
 * Quotes a text for bash or zsh. Control characters are escaped, because a terminal would act on
 * them when the command is pasted.
 *
 * @param {string} text
 */
function quote(text) {
	if (/^[\w:/.=-]+$/.test(text)) return text;
	if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
	const hex = (/** @type {string} */ character) =>
		Array.from(
			new TextEncoder().encode(character),
			(byte) => `\\x${byte.toString(16).padStart(2, '0')}`,
		);
	return `$'${text.replace(/[\\']|\p{Cc}/gu, (character) => hex(character).join(''))}'`;
}
