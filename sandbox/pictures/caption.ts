import { escapeXml } from './escapeXml';

/** Draws words on a dark band along the lower edge, as SVG: at most half as high as the picture. */
export function drawCaption(words: string, width: number, height: number): string {
	const size = Math.max(8, Math.min(width / 22, height / 8));
	const lineHeight = size * 1.3;
	const perLine = Math.max(8, Math.floor((width - size) / (size * 0.6)));
	const lines = wrap(words, perLine);
	const room = Math.min(4, Math.max(1, Math.floor(height / 2 / lineHeight)));
	const shown = lines.slice(0, room);
	if (lines.length > room) shown.push(`${shown.pop()?.slice(0, perLine - 1) ?? ''}…`);
	const top = height - shown.length * lineHeight - size * 0.6;
	const text = shown.map((line, index) => {
		const y = top + size * 1.25 + index * lineHeight;
		return `<text x="${size / 2}" y="${y}">${escapeXml(line)}</text>`;
	});
	return `<rect y="${top}" width="${width}" height="${height - top}" opacity="0.6"/>\
<g font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="${size}" fill="#fff">\
${text.join('')}</g>`;
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
