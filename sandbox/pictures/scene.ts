import { css, type Palette } from './palette';
import type { Random } from './random';
import { outlineAttributes, type Style, type Subjects } from './style';
import { drawSubject } from './subjects';

/** Draws a scene as SVG, `width` x `height` pixels: a sky, ridges, and what the words name. */
export function drawScene(
	size: { width: number; height: number },
	{ words, unwanted }: Subjects,
	palette: Palette,
	style: Style,
	random: Random,
): string {
	const wide = 1000;
	const tall = Math.round((wide * size.height) / size.width);
	const [top, bottom] = palette.sky;
	const isNight = words.some(
		(word) => /^(night|stars?|space|galaxy)$/.test(word) && !unwanted.includes(word),
	);
	// Everything is drawn, so that what is left out leaves the chances of the rest alone.
	const things: [names: RegExp, drawing: string][] = [
		[/^stars?$/, stars(wide, tall, isNight ? 0.8 : 0, random)],
		[/^(sun|moon)s?$/, sun(wide, tall, palette, random)],
		[/^(mountain|hill|ridge|land|landscape)s?$/, ridges(wide, tall, palette, style, random)],
		[/^(?!)/, drawSubject({ words, unwanted }, wide, tall, palette, style, random)],
	];
	const parts = things
		.filter(([names]) => !unwanted.some((word) => names.test(word)))
		.map(([, drawing]) => drawing);
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" \
viewBox="0 0 ${wide} ${tall}" preserveAspectRatio="none"><defs>\
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${css(top)}"/>\
<stop offset="0.75" stop-color="${css(bottom)}"/></linearGradient></defs>\
<rect width="${wide}" height="${tall}" fill="url(#sky)"/>${parts.join('')}</svg>`;
}

function sun(wide: number, tall: number, { sun: colour }: Palette, random: Random): string {
	const x = wide * random.between(0.12, 0.88);
	const y = tall * random.between(0.14, 0.36);
	const radius = Math.min(wide, tall) * random.between(0.06, 0.11);
	const glow = [2.6, 1.8, 1.3].map(
		(factor) =>
			`<circle cx="${x}" cy="${y}" r="${radius * factor}" fill="${css(colour)}" opacity="0.16"/>`,
	);
	return `${glow.join('')}<circle cx="${x}" cy="${y}" r="${radius}" fill="${css(colour, 10)}"/>`;
}

function stars(wide: number, tall: number, opacity: number, random: Random): string {
	const dots = Array.from({ length: 70 }, () => {
		const x = wide * random.next();
		const y = tall * 0.6 * random.next();
		return `<circle cx="${x}" cy="${y}" r="${random.between(0.8, 3)}" fill="#fff"/>`;
	});
	return `<g opacity="${opacity}">${dots.join('')}</g>`;
}

function ridges(
	wide: number,
	tall: number,
	{ land, sky }: Palette,
	style: Style,
	random: Random,
): string {
	const [landHue, landSaturation, landLight] = land;
	const [, [, , skyLight]] = sky;
	const paths = Array.from({ length: style.ridges }, (_, index) => {
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
	return paths.join('');
}
