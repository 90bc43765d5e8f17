import { css, type Palette } from './palette';
import type { Random } from './random';
import { drawSubject } from './subjects';

/** What a picture shows. */
export interface Scene {
	words: readonly string[];
	unwanted: readonly string[];
	/** Number of ridges, 1 or more. */
	ridges: number;
	palette: Palette;
	/** In pixels. */
	width: number;
	/** In pixels. */
	height: number;
}

const wide = 1000;

/** Draws a scene as SVG: a sky, a sun, ridges, and what the words name. */
export function drawScene(scene: Scene, random: Random): string {
	const { width, height, palette, unwanted } = scene;
	const tall = Math.round((wide * height) / width);
	const [top, bottom] = palette.sky;
	// Everything is drawn, so that what is left out leaves the chances of the rest alone.
	const things: [names: RegExp, drawing: string][] = [
		[/^(sun|moon)s?$/, drawSun(tall, palette, random)],
		[/^(mountain|hill|land|landscape)s?$/, drawRidges(tall, scene, random)],
		[/^$/, drawSubject(scene, palette.subject, { wide, tall }, random)],
	];
	const parts = things.filter(([names]) => !unwanted.some((word) => names.test(word)));
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" \
viewBox="0 0 ${wide} ${tall}" preserveAspectRatio="none"><defs>\
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${css(top)}"/>\
<stop offset="0.75" stop-color="${css(bottom)}"/></linearGradient></defs>\
<rect width="${wide}" height="${tall}" fill="url(#sky)"/>\
${parts.map(([, drawing]) => drawing).join('')}</svg>`;
}

function drawSun(tall: number, { sun }: Palette, random: Random): string {
	const x = wide * random.between(0.12, 0.88);
	const y = tall * random.between(0.14, 0.36);
	const radius = Math.min(wide, tall) * random.between(0.06, 0.11);
	const circle = (factor: number, opacity: number) =>
		`<circle cx="${x}" cy="${y}" r="${radius * factor}" fill="${css(sun)}" opacity="${opacity}"/>`;
	return circle(2.2, 0.2) + circle(1.5, 0.2) + circle(1, 1);
}

function drawRidges(tall: number, { ridges, palette }: Scene, random: Random): string {
	const [hue, saturation, light] = palette.land;
	const [, [, , skyLight]] = palette.sky;
	const points = 4 + ridges * 2;
	const step = wide / points;
	const paths = Array.from({ length: ridges }, (_, index) => {
		const near = (index + 1) / ridges;
		const base = tall * (0.48 + 0.38 * near);
		const swing = tall * 0.09 * (1.15 - near * 0.6);
		const heights = Array.from({ length: points + 1 }, () => base - swing * random.next());
		const line = heights.map((y, point) => {
			const x = point * step;
			const before = heights[point - 1];
			if (before === undefined) return `L${x} ${y}`;
			return `C${x - step / 2} ${before} ${x - step / 2} ${y} ${x} ${y}`;
		});
		const fill = css([hue, saturation * (0.5 + near / 2), skyLight + (light - skyLight) * near]);
		return `<path d="M0 ${tall}${line.join('')}L${wide} ${tall}Z" fill="${fill}"/>`;
	});
	return paths.join('');
}
