import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { ImageGenerationApi } from '../../credentials/ImageGenerationApi.credentials';
import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';
import { codesIn } from '../support/markdown';

const page = readFileSync('docs/troubleshooting.md', 'utf8');
const quoted = codesIn(page).filter((code) => wordsIn(code) > 2 && !code.includes('{{'));
/** The page on one line, without its marks. */
const plainPage = page.replace(/[`\s]+/g, ' ');

/** Names and descriptions of fields, which users read in the panel. */
const panel = textsOf([new ImageGeneration().description, new ImageGenerationApi()]);
/** Reasons that code gives to other code. */
const INTERNAL = [
	'Not started because the run had already stopped',
	'The request was blocked ',
	'the request has ended',
	// In brackets in the message about a connection.
	'an earlier run was cut off',
	'the connection timed out',
	// What OpenSSL says.
	'wrong version number',
	'packet length too long',
];

function textsOf(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const sources = ['nodes', 'credentials']
	.flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
	)
	.filter((file) => file.endsWith('.ts'))
	.map((file) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
/** Every text in the node's code, with `…` for inserted values. */
const codeTexts = sources.flatMap((source) => textsIn(source));
const messages = sources
	.flatMap((source) => textsIn(source, isAdvice))
	.filter((text) => wordsIn(text) > 2 && !text.startsWith('<') && !INTERNAL.includes(text))
	.filter((text) => !panel.some((label) => matches(text, label)));

function textsIn(node: ts.Node, isSkipped: typeof isAdvice = () => false): string[] {
	const texts: string[] = [];
	if (ts.isStringLiteralLike(node)) texts.push(node.text);
	if (ts.isTemplateExpression(node)) {
		const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
		texts.push(parts.map(({ text }) => text).join('…'));
	}
	node.forEachChild((child) => {
		if (!isSkipped(child, node)) texts.push(...textsIn(child, isSkipped));
	});
	return texts;
}

/** Whether a node is what to do about a message. The page may say more about it. */
function isAdvice(node: ts.Node, parent: ts.Node): boolean {
	if (ts.isNewExpression(parent)) return parent.arguments?.[1] === node;
	return ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'advice';
}

function wordsIn(text: string): number {
	return text.includes(' ') ? (text.match(/\p{L}{2,}/gu)?.length ?? 0) : 0;
}

/** Whether the page has a message, or its first sentence if it has several. */
function isExplained(message: string): boolean {
	const [sentence = ''] = message.split(/(?<=[.:]) /);
	const found = pattern(wordsIn(sentence) > 3 ? sentence : message);
	return new RegExp(found.replaceAll('.*', '.{1,200}?'), 's').test(plainPage);
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
	it('explains every message of the node', () => {
		expect(messages.length).toBeGreaterThan(50);
		expect(messages.filter((message) => !isExplained(message))).toStrictEqual([]);
	});

	it.each(quoted)('quotes only messages of the node: %s', (message) => {
		expect(isNodeMessage(message)).toBe(true);
	});

	it('is checked by tests that notice an invented message', () => {
		expect(isNodeMessage('The moon is full: wait for another night.')).toBe(false);
		expect(isExplained('The moon is full: wait for another night.')).toBe(false);
	});
});
