import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../scripts/tools/checkout.mjs';

const file = join(root, 'docs', 'development', 'performance.md');

/** Replaces the section with the same title on the page about performance, or adds it. */
export async function publish(section: string): Promise<void> {
	const [title = ''] = section.split('\n');
	const sections = readFileSync(file, 'utf8').split(/^(?=## )/m);
	const index = sections.findIndex((one) => one.startsWith(`${title}\n`));
	if (index === -1) sections.push(section);
	else sections[index] = section;
	const page = sections.map((one) => one.trim()).join('\n\n');
	const style = await resolveConfig(file, { editorconfig: true });
	writeFileSync(file, await format(page, { ...style, filepath: file }));
}
