import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { codesIn } from '../support/markdown';

const page = readFileSync('docs/troubleshooting.md', 'utf8');

const sources = ['nodes', 'credentials']
	.flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
	)
	.filter((file) => file.endsWith('.ts'))
	.map((file) => readFileSync(file, 'utf8'))
	.join('\n');

function wordsIn(text: string): number {
	return text.includes(' ') ? (text.match(/\p{L}{2,}/gu)?.length ?? 0) : 0;
}

/** The messages that a text quotes. */
function quotesIn(text: string): string[] {
	return codesIn(text).filter((code) => wordsIn(code) > 2 && !code.includes('{{'));
}

describe('docs/troubleshooting.md', () => {
	it.each(quotesIn(page))('quotes only messages of the node: %s', (quote) => {
		const parts = quote.split('…');
		expect(parts.filter((part) => !sources.includes(part))).toStrictEqual([]);
	});
});
