/**
 * Writes a call as a curl command for a shell. A file is read from the current folder.
 *
 * @param {import('../service/control/callView.js').CallView} call
 * @param {string} origin
 * @param {string} apiKey
 */
export function toCurl({ method, path, fields, files }, origin, apiKey) {
	const parts = [
		...(method === 'POST' && fields.length + files.length > 0 ? [] : ['-X', quote(method)]),
		...['-H', quote(`api-key: ${apiKey}`)],
		...fields.flatMap(([name, value]) => ['--form-string', quote(`${name}=${value}`)]),
		...files.flatMap(({ field, fileName }) => [
			'-F',
			quote(`${field}=@"${fileName.replace(/["\\]/g, '\\$&')}"`),
		]),
	];
	return ['curl', ...parts, quote(origin + path)].join(' ');
}

/** @param {string} text */
function quote(text) {
	return /^[\w:/.=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
