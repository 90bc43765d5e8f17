import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { codesIn, tablesIn } from '../support/markdown';

const page = readFileSync('docs/troubleshooting.md', 'utf8');
const quoted = tablesIn(page).flatMap((rows) =>
	rows.flatMap(({ Message = '' }) => codesIn(Message)),
);

/** Every text in the node's code, with `…` for inserted values. */
const nodeTexts = readdirSync('nodes', { recursive: true, encoding: 'utf8' })
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

/**
 * Whether the node can show this message; `…` stands for anything, and either may be part of the
 * other.
 */
function isNodeMessage(message: string): boolean {
	return nodeTexts.some((text) => matches(message, text) || matches(text, message));
}

/** The pattern must have at least two words in a row. */
function matches(pattern: string, text: string): boolean {
	const parts = pattern.split('…');
	if (!parts.some((part) => part.trim().includes(' '))) return false;
	const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${escaped.join('.*')}$`, 's').test(text);
}

describe('docs/troubleshooting.md', () => {
	it('quotes more than twenty messages', () => {
		expect(quoted.length).toBeGreaterThan(20);
	});

	it.each(quoted)('quotes a message of the node: %s', (message) => {
		expect(isNodeMessage(message)).toBe(true);
	});

	it('is checked by a test that rejects invented messages', () => {
		expect(isNodeMessage('The moon is full: wait for another night.')).toBe(false);
	});
});
