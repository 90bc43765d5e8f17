import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { breakingChanges } from '../package/breakingChanges';
import { publicShape } from '../package/publicShape';
import { blocksIn, type Block } from '../support/markdown';

const root = resolve(__dirname, '../..');
const parts = [
	'nodes',
	'credentials',
	'icons',
	'sandbox',
	'test/support',
	'scripts/untyped.d.ts',
	'test/package/build.mjs',
	'scripts/tools/checkout.mjs',
	'examples/photos',
	'package.json',
	'tsconfig.json',
	'test/tsconfig.json',
	'jest.config.mjs',
];

let copy: string;

beforeAll(() => {
	mkdirSync(join(root, '.cache'), { recursive: true });
	copy = mkdtempSync(join(root, '.cache', 'toy-'));
	for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true });
	const page = readFileSync(join(root, 'docs/development/adding-an-operation.md'), 'utf8');
	for (const block of blocksIn(page)) apply(block);
});

afterAll(() => rmSync(copy, { recursive: true }));

/** Writes a whole file, or applies a diff whose old lines must appear exactly once. */
function apply({ language, file, code }: Block): void {
	const path = join(copy, file);
	if (language !== 'diff') {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, code);
		return;
	}
	const lines = code.trimEnd().split('\n');
	const side = (marks: string) =>
		lines.filter(([mark = '']) => marks.includes(mark)).map((line) => `${line.slice(1)}\n`);
	const parts = readFileSync(path, 'utf8').split(side(' -').join(''));
	if (parts.length !== 2) throw new Error(`${file} has not these lines once:\n${code}`);
	writeFileSync(path, parts.join(side(' +').join('')));
}

/** Runs one of the checkout's tools in the copy. @returns its error output */
function errorsFrom(tool: string, ...args: string[]): string {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[join(root, 'node_modules', tool), ...args],
		{ cwd: copy, encoding: 'utf8' },
	);
	return status === 0 ? '' : `${stdout}${stderr}`;
}

describe('an operation added as described in docs/development/adding-an-operation.md', () => {
	it('passes the type check with its sandbox tool and its test', () => {
		expect(errorsFrom('typescript/bin/tsc', '-p', 'test')).toBe('');
	});

	it('is last in the list of operations, breaks no saved workflow and moves no field of another operation', () => {
		const { node, output, ...rest } = publicShape(copy);

		const parameters = node.parameters as Array<{
			name: string;
			values: string[];
			show?: { operation?: string[] };
		}>;
		const operation = parameters.find(({ name }) => name === 'operation');
		expect(operation?.values.at(-1)).toBe('upscale');
		expect(output.upscale).toStrictEqual(['id', 'output_url', 'fileName']);
		expect(breakingChanges(publicShape(root), { node, output, ...rest })).toStrictEqual([]);
		const fieldsOfEdit = (shape: typeof parameters) =>
			shape.filter(({ show }) => show?.operation?.includes('edit')).map(({ name }) => name);
		expect(fieldsOfEdit(parameters)).toStrictEqual(
			fieldsOfEdit(publicShape(root).node.parameters as typeof parameters),
		);
	});

	it('passes its documented test in n8n’s engine', () => {
		expect(errorsFrom('jest/bin/jest.js', 'test/engine/upscale.test.ts')).toBe('');
	});
});

describe('a new quality', () => {
	it('does not compile without its sizes in the node, and its sizes, price and detail in the sandbox', () => {
		apply({
			language: 'diff',
			file: 'nodes/ImageGeneration/fields/quality.ts',
			code: [
				' const QUALITIES = {',
				"+	ultra: { name: 'Ultra', description: 'The most detail' },",
			].join('\n'),
		});
		apply({
			language: 'diff',
			file: 'sandbox/catalog.ts',
			code: [
				"-export const qualities = ['standard', 'hd', 'genius', 'super_genius'] as const;",
				"+export const qualities = ['standard', 'hd', 'genius', 'super_genius', 'ultra'] as const;",
			].join('\n'),
		});
		const errors = errorsFrom('typescript/bin/tsc', '-p', 'test');
		const files = Array.from(errors.matchAll(/^(\S+?)\(/gm), ([, file]) => file);

		expect(errors).toContain("'sizes' is missing");
		expect([...new Set(files)]).toStrictEqual([
			'nodes/ImageGeneration/fields/quality.ts',
			'sandbox/catalog.ts',
			'sandbox/pictures/picture.ts',
		]);
	});
});
