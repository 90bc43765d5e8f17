/**
 * Writes words on a dark band along the lower edge, at most half as high as the picture.
 *
 * @returns an SVG of that size, to lay over the picture
 */
export function captioned(words: string, size: { width: number; height: number }): Buffer {
	const { width, height } = size;
	const fontSize = Math.max(8, Math.min(width / 22, height / 8));
	const lineHeight = fontSize * 1.3;
	const perLine = Math.max(8, Math.floor((width - fontSize) / (fontSize * 0.6)));
	const room = Math.min(4, Math.max(1, Math.floor(height / 2 / lineHeight)));
	const lines = wrap(words, perLine);
	const shown = lines.slice(0, room);
	if (lines.length > room) shown.push(`${shown.pop()?.slice(0, perLine - 1) ?? ''}…`);
	const top = height - shown.length * lineHeight - fontSize * 0.6;
	const text = shown.map((line, index) => {
		const y = top + fontSize * 1.25 + index * lineHeight;
		return `<text x="${fontSize / 2}" y="${y}">${escapeXml(line)}</text>`;
	});
	return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">\
<rect y="${top}" width="${width}" height="${height - top}" opacity="0.6"/>\
<g font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="${fontSize}" fill="#fff">\
${text.join('')}</g></svg>`);
}

/** Breaks a text into lines, and words that are longer than a line into pieces. */
function wrap(words: string, perLine: number): string[] {
	const pieces = words.match(new RegExp(`\\S{1,${perLine}}`, 'gu')) ?? [];
	const lines = [''];
	for (const piece of pieces) {
		const line = `${lines.at(-1) ?? ''} ${piece}`.trim();
		if (line.length > perLine) lines.push(piece);
		else lines[lines.length - 1] = line;
	}
	return lines;
}

/** Escapes a text and removes characters that XML does not allow. */
function escapeXml(text: string): string {
	return text
		.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
		.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
