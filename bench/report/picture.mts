import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import type { Chart } from '../part.mjs';

const WIDTH = 1320;
const COLUMNS = 2;
const MARGIN = 32;
const BAR = 18;
const LINE = 28;
const LABEL = 300;
const NUMBER = 70;
const PANEL = (WIDTH - MARGIN * (COLUMNS + 1)) / COLUMNS;

/** Draws the charts as an SVG, and writes a copy as PNG. */
export async function draw(charts: Chart[], caption: string, svgFile: string): Promise<void> {
	const svg = picture(charts, caption);
	writeFileSync(svgFile, `${svg}\n`);
	await sharp(Buffer.from(svg))
		.png()
		.toFile(svgFile.replace(/\.svg$/, '.png'));
}

function picture(charts: Chart[], caption: string): string {
	const columns = Array.from({ length: COLUMNS }, () => MARGIN);
	const panels = charts.map((chart) => {
		const column = columns.indexOf(Math.min(...columns));
		const top = columns[column] ?? MARGIN;
		columns[column] = top + heightOf(chart) + MARGIN;
		return panel(chart, MARGIN + column * (PANEL + MARGIN), top);
	});
	const height = Math.max(...columns) + LINE;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="DejaVu Sans, Verdana, sans-serif" font-size="13" fill="#1f2430">`,
		`<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
		...panels,
		text(MARGIN, height - MARGIN / 2, caption, 'fill="#6b7280" font-size="11"'),
		'</svg>',
	].join('\n');
}

function heightOf({ bars }: Chart): number {
	return LINE + bars.length * LINE;
}

function panel({ title, unit, digits, bars }: Chart, left: number, top: number): string {
	const longest = Math.max(...bars.map(({ value }) => value), Number.EPSILON);
	const room = PANEL - LABEL - NUMBER;
	const lines = bars.flatMap(({ name, value, isOurs }, index) => {
		const y = top + LINE * (index + 1);
		const length = Math.max(1, (Math.max(0, value) / longest) * room);
		const colour = isOurs ? '#2563eb' : '#b6bcc8';
		const weight = isOurs ? 'font-weight="bold"' : '';
		return [
			text(left + LABEL - 8, y + 13, name, `text-anchor="end" ${weight}`),
			`<rect x="${left + LABEL}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2" fill="${colour}"/>`,
			text(left + LABEL + length + 6, y + 13, `${value.toFixed(digits)}${unit}`, weight),
		];
	});
	return [text(left, top + 13, title, 'font-size="16" font-weight="bold"'), ...lines].join('\n');
}

function text(x: number, y: number, words: string, attributes: string): string {
	const escaped = words.replace(/&/g, '&amp;').replace(/</g, '&lt;');
	return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped}</text>`;
}
