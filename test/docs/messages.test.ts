import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { codesIn, tablesIn } from '../support/markdown';

const page = readFileSync('docs/troubleshooting.md', 'utf8');
const quoted = tablesIn(page).flatMap((rows) =>
	rows.flatMap(({ Message = '' }) => codesIn(Message)),
);

/** Every text in the node's code, with `…` where it puts in a value. */
const spoken = readdirSync('nodes', { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.flatMap((file) => textsIn(join('nodes', file)));

function textsIn(file: string): string[] {
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) texts.push(node.text);
		if (ts.isTemplateExpression(node)) {
			const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
			texts.push(parts.map(({ text }) => text).join('…'));
		}
		node.forEachChild(visit);
	};
	visit(source);
	return texts;
}

/** Whether the node can say it: `…` stands for anything, and a whole may be put together of parts. */
function isSpoken(message: string): boolean {
	return spoken.some((text) => matches(message, text) || matches(text, message));
}

/** At least two words must be there in both. */
function matches(pattern: string, text: string): boolean {
	const parts = pattern.split('…');
	if (!parts.some((part) => part.trim().includes(' '))) return false;
	const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${escaped.join('.*')}$`, 's').test(text);
}

describe('docs/troubleshooting.md', () => {
	it('quotes messages', () => {
		expect(quoted.length).toBeGreaterThan(20);
	});

	it.each(quoted)('quotes what the node says: %s', (message) => {
		expect(isSpoken(message)).toBe(true);
	});

	it('quotes no sentence that the node never says', () => {
		expect(isSpoken('The moon is full: wait for another night.')).toBe(false);
	});
});
