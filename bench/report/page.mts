import { readFileSync } from 'node:fs';
import { writeFormatted } from './writeFormatted.mjs';

const FROM = '<!-- Written by `npm run bench`, from here … -->';
const TO = '<!-- … to here. -->';

/** Replaces the generated part of a page. */
export async function writeInto(file: string, text: string): Promise<void> {
	const page = readFileSync(file, 'utf8');
	const start = page.indexOf(FROM);
	const end = page.indexOf(TO);
	if (start < 0 || end < start) throw new Error(`${file} has no markers for the generated part.`);
	const written = `${page.slice(0, start)}${FROM}\n\n${text}\n\n${page.slice(end)}`;
	await writeFormatted(file, written);
}
