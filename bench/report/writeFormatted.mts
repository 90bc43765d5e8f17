import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/** Writes a file as `npm run format` would leave it. */
export async function writeFormatted(file: string, text: string): Promise<void> {
	const style = await resolveConfig(file, { editorconfig: true });
	writeFileSync(file, await format(text, { ...style, filepath: file }));
}
