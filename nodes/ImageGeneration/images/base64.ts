/** Characters to decode at once: whole groups of four, for 64 KiB as n8n's storage reads files (2.41.1). */
const PIECE = 4 * Math.floor((64 * 1024) / 3);

const OTHER_CHARACTERS = /[^a-z0-9+/_-]+/gi;

/**
 * Decodes base64 piece by piece, so that the bytes of a large file are never in memory as a whole. They are
 * those of `Buffer.from`, which ignores line breaks and ends at a `=`.
 */
export function* base64Pieces(text: string): Generator<Buffer> {
	const padding = text.indexOf('=');
	const end = padding < 0 ? text.length : padding;
	/** The last characters so far, if they are no whole group. */
	let rest = '';
	for (let start = 0; start < end; start += PIECE) {
		const characters = text.slice(start, Math.min(start + PIECE, end));
		const bytes = Buffer.from(characters, 'base64');
		const isWhole = rest === '' && bytes.length * 4 === characters.length * 3;
		if (isWhole) {
			yield bytes;
		} else {
			const known = rest + characters.replace(OTHER_CHARACTERS, '');
			const whole = known.length - (known.length % 4);
			rest = known.slice(whole);
			yield Buffer.from(known.slice(0, whole), 'base64');
		}
	}
	yield Buffer.from(rest, 'base64');
}
