import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const FROM = '<!-- Written by `npm run bench`, from here … -->';
const TO = '<!-- … to here. -->';

/** Replaces what an earlier run wrote into a page, and leaves the rest. */
export async function writeInto(file: string, text: string): Promise<void> {
	const page = readFileSync(file, 'utf8');
	const start = page.indexOf(FROM);
	const end = page.indexOf(TO);
	if (start < 0 || end < start) throw new Error(`${file} has no place for the tables`);
	const written = `${page.slice(0, start)}${FROM}\n\n${text}\n\n${page.slice(end)}`;
	const options = await resolveConfig(file);
	writeFileSync(file, await format(written, { ...options, filepath: file }));
}
