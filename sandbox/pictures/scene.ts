import { css, type Palette } from './palette';
import type { Random } from './random';
import { drawSubject } from './subjects';

/** How detailed a scene is, and how it is drawn. */
export interface Style {
	/** Number of ridges, 2 to 6; better versions have more. */
	ridges: number;
	/** Number of points on each ridge. */
	points: number;
	/** Width of outlines, in pixels of a picture 1000 pixels wide; 0 for none. */
	outline: number;
	/** Whether ridges are straight rather than wavy. */
	straight: boolean;
	caption: string;
}

/** Draws a scene as SVG, `width` x `height` pixels: a sky, ridges, and what the words name. */
export function drawScene(
	size: { width: number; height: number },
	words: string[],
	palette: Palette,
	style: Style,
	random: Random,
): string {
	const wide = 1000;
	const tall = Math.round((wide * size.height) / size.width);
	const [top, bottom] = palette.sky;
	const parts = [
		`<rect width="${wide}" height="${tall}" fill="url(#sky)"/>`,
		...(words.some((word) => /^(night|stars?|space|galaxy)$/.test(word))
			? stars(wide, tall, random)
			: []),
		sun(wide, tall, palette, random),
		...ridges(wide, tall, palette, style, random),
		drawSubject(words, wide, tall, palette, style, random),
		caption(style.caption, wide, tall),
	];
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" \
viewBox="0 0 ${wide} ${tall}" preserveAspectRatio="none"><defs>\
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${css(top)}"/>\
<stop offset="0.75" stop-color="${css(bottom)}"/></linearGradient></defs>${parts.join('')}</svg>`;
}

function sun(wide: number, tall: number, { sun: colour }: Palette, random: Random): string {
	const [x, y] = [wide * random.between(0.12, 0.88), tall * random.between(0.14, 0.36)];
	const radius = Math.min(wide, tall) * random.between(0.06, 0.11);
	const glow = [2.6, 1.8, 1.3].map(
		(factor) =>
			`<circle cx="${x}" cy="${y}" r="${radius * factor}" fill="${css(colour)}" opacity="0.16"/>`,
	);
	return `${glow.join('')}<circle cx="${x}" cy="${y}" r="${radius}" fill="${css(colour, 10)}"/>`;
}

function stars(wide: number, tall: number, random: Random): string[] {
	return Array.from({ length: 70 }, () => {
		const [x, y] = [wide * random.next(), tall * 0.6 * random.next()];
		return `<circle cx="${x}" cy="${y}" r="${random.between(0.8, 3)}" fill="#fff" opacity="0.8"/>`;
	});
}

function ridges(
	wide: number,
	tall: number,
	{ land, sky }: Palette,
	style: Style,
	random: Random,
): string[] {
	const [landHue, landSaturation, landLight] = land;
	const [, [, , skyLight]] = sky;
	return Array.from({ length: style.ridges }, (_, index) => {
		const near = (index + 1) / style.ridges;
		const base = tall * (0.48 + 0.38 * near);
		const swing = tall * (style.straight ? 0.14 : 0.09) * (1.15 - near * 0.6);
		const step = wide / style.points;
		const heights = Array.from({ length: style.points + 1 }, () => base - swing * random.next());
		const line = heights.map((y, point) => {
			const x = point * step;
			const before = heights[point - 1];
			if (before === undefined || style.straight) return `L${x} ${y}`;
			return `C${x - step / 2} ${before} ${x - step / 2} ${y} ${x} ${y}`;
		});
		const light = skyLight + (landLight - skyLight) * near;
		const fill = css([landHue + (1 - near) * 18, landSaturation * (0.5 + near / 2), light]);
		return `<path d="M0 ${tall}${line.join('')}L${wide} ${tall}Z" fill="${fill}"${outlineAttributes(style)}/>`;
	});
}

/** SVG attributes for the outline of a shape. */
export function outlineAttributes({ outline }: Style): string {
	return outline > 0 ? ` stroke="#1c1a24" stroke-width="${outline}" stroke-linejoin="round"` : '';
}

function caption(words: string, wide: number, tall: number): string {
	if (words === '') return '';
	const perLine = 44;
	const lines = wrap(words, perLine).slice(0, 3);
	const size = 30;
	const height = lines.length * size * 1.3 + 28;
	const text = lines.map(
		(line, index) =>
			`<text x="32" y="${tall - height + 14 + size * (1 + index * 1.3)}">${escapeXml(line)}</text>`,
	);
	return `<rect y="${tall - height}" width="${wide}" height="${height}" fill="#000" opacity="0.42"/>\
<g font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="${size}" fill="#fff">\
${text.join('')}</g>`;
}

function wrap(words: string, perLine: number): string[] {
	const lines = [''];
	for (const word of words.split(/\s+/).map((long) => long.slice(0, perLine))) {
		const line = lines[lines.length - 1] ?? '';
		if (line.length + word.length >= perLine) lines.push(word);
		else lines[lines.length - 1] = `${line} ${word}`.trim();
	}
	return lines;
}

/** Escapes a text for SVG and removes characters that XML does not allow. */
export function escapeXml(text: string): string {
	return text
		.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
		.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
