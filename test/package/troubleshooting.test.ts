import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { codesIn } from '../support/markdown';

const page = readFileSync('docs/troubleshooting.md', 'utf8');
const quoted = codesIn(page).filter((code) => wordsIn(code) > 2 && !code.includes('{{'));
/** The page's entries: a message, or two, and what the page says about it. */
const entries = page
	.split(/^- (?=`)/m)
	.slice(1)
	.map((entry) => (entry.split('\n\n')[0] ?? '').trim());

const sources = ['nodes', 'credentials']
	.flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
	)
	.filter((file) => file.endsWith('.ts'))
	.map((file) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
/** Every text in the node's code, with `…` for inserted values. */
const codeTexts = sources.flatMap((source) => textsIn(source));

function textsIn(node: ts.Node): string[] {
	const texts: string[] = [];
	if (ts.isStringLiteralLike(node)) texts.push(node.text);
	if (ts.isTemplateExpression(node)) {
		const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
		texts.push(parts.map(({ text }) => text).join('…'));
	}
	node.forEachChild((child) => {
		texts.push(...textsIn(child));
	});
	return texts;
}

function wordsIn(text: string): number {
	return text.includes(' ') ? (text.match(/\p{L}{2,}/gu)?.length ?? 0) : 0;
}

/** What an entry says beyond the messages that it quotes. */
function reasonIn(entry: string): string {
	return codesIn(entry)
		.filter((code) => isNodeMessage(code))
		.reduce((rest, message) => rest.replace(message, ''), entry);
}

/** A regular expression in which `…` is anything. */
function pattern(text: string): string {
	const parts = text.trim().split(/…+/);
	return parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*');
}

/** Whether a text can be what `template` says, which must have at least two words in a row. */
function matches(template: string, text: string, { isWhole } = { isWhole: true }): boolean {
	const isClear = template.split('…').some((part) => part.trim().includes(' '));
	const found = isWhole ? `^${pattern(template)}$` : pattern(template);
	return isClear && new RegExp(found, 's').test(text);
}

/** Whether the node's code has this message or part of one. */
function isNodeMessage(quote: string): boolean {
	return codeTexts.some((text) => matches(quote, text, { isWhole: false }) || matches(text, quote));
}

describe('docs/troubleshooting.md', () => {
	// A message that explains itself needs no entry.
	it.each(entries)('gives a reason or a remedy that the message has no room for: %s', (entry) => {
		expect(wordsIn(reasonIn(entry))).toBeGreaterThan(4);
	});

	it.each(quoted)('quotes only messages of the node: %s', (message) => {
		expect(isNodeMessage(message)).toBe(true);
	});
});
