import js from '@eslint/js';
import markdown from '@eslint/markdown';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import jest from 'eslint-plugin-jest';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';
import { importRules } from './scripts/config/imports.mjs';
import { noCircles } from './scripts/config/noCircles.mjs';
import { restrictedWording } from './scripts/config/wording.mjs';

const shipped = ['nodes/**/*.ts', 'credentials/**/*.ts'];

/**
 * n8n's default rules for what ships, combined like `@n8n/node-cli/eslint` 0.48.3. That package is
 * not installed, because it depends on LangChain; `npm run verify` runs it.
 */
const n8nStock = tseslint.config(
	{
		files: shipped,
		extends: [
			js.configs.recommended,
			tseslint.configs.recommended,
			n8nCommunityNodesPlugin.configs.recommended,
			/** @type {import('typescript-eslint').ConfigArray[number]} */ (
				importX.configs['flat/recommended']
			),
		],
		rules: { 'prefer-spread': 'off', 'no-console': 'error' },
	},
	{
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
	},
	{
		files: ['package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		rules: n8nNodesBase.configs.community.rules,
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);

/** Type-aware rules for all files. */
const typeAware = tseslint.config({
	files: ['**/*.{ts,mts,js,mjs}'],
	extends: [js.configs.recommended, tseslint.configs.strictTypeChecked],
	plugins: { 'import-x': importX, own: { rules: { 'no-circles': noCircles } } },
	languageOptions: {
		parserOptions: {
			// The page has its own config, because it runs in a browser.
			project: ['./test/tsconfig.json', './sandbox/page/tsconfig.json'],
			tsconfigRootDir: import.meta.dirname,
		},
	},
	rules: {
		'@typescript-eslint/consistent-type-imports': 'error',
		// Node's test runner awaits these.
		'@typescript-eslint/no-floating-promises': [
			'error',
			{
				allowForKnownSafeCalls: [
					{ from: 'package', package: 'node:test', name: ['describe', 'it', 'suite', 'test'] },
				],
			},
		],
		// `while (true)` says that the body decides when it ends.
		'@typescript-eslint/no-unnecessary-condition': [
			'error',
			{ allowConstantLoopConditions: 'only-allowed-literals' },
		],
		'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
		'@typescript-eslint/no-confusing-void-expression': [
			'error',
			{ ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
		],
		'@typescript-eslint/switch-exhaustiveness-check': [
			'error',
			{ considerDefaultExhaustiveForUnions: true },
		],
		'no-multi-assign': 'error',
		'no-nested-ternary': 'error',
		'own/no-circles': 'error',
		'import-x/no-self-import': 'error',
		'import-x/no-duplicates': 'error',
		'import-x/order': [
			'error',
			{
				groups: ['builtin', 'external', 'parent', 'sibling', 'index'],
				'newlines-between': 'ignore',
				alphabetize: { order: 'asc', caseInsensitive: true },
			},
		],
	},
});

const tests = tseslint.config({
	files: ['test/**/*.test.ts'],
	extends: [jest.configs['flat/recommended']],
	rules: {
		// toEqual takes [1, undefined] for [1].
		'jest/prefer-strict-equal': 'error',
		'jest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*'] }],
		// jest/unbound-method allows expect(object.method).
		'@typescript-eslint/unbound-method': 'off',
		'jest/unbound-method': 'error',
	},
});

/** Code that saves lines at its reader's expense, as options for ESLint's no-restricted-syntax. */
const crowdedCode = [
	{
		selector: "SpreadElement[argument.type='ObjectExpression']",
		message: 'Write one property on each line, without the spread.',
	},
	{
		selector: "SpreadElement[argument.type='ArrayExpression']",
		message: 'Write one element on each line, without the spread.',
	},
	{
		selector:
			"SpreadElement[argument.type='TSAsExpression'][argument.expression.type='ArrayExpression']",
		message: 'Write one element on each line, without the spread.',
	},
	{
		selector: 'ForStatement:not([update])',
		message: 'Write a while loop, or name the steps.',
	},
];

/** Plain English in the docs and in every string of the code, and code that is laid out for the eye. */
const prose = tseslint.config(
	{
		files: ['**/*.md'],
		plugins: { markdown },
		language: 'markdown/gfm',
		rules: {
			'no-restricted-syntax': [
				'error',
				...restrictedWording(['text[value=$]']),
				{
					selector: String.raw`text[value=/(?<!\p{L})(\p{L}+)\s+\1(?!\p{L})/iu]`,
					message: 'A word is repeated.',
				},
			],
		},
	},
	{
		files: ['**/*.{ts,mts,js,mjs}'],
		ignores: ['scripts/config/wording.mjs'],
		rules: {
			'no-restricted-syntax': [
				'error',
				...restrictedWording(['Literal[value=$]', 'TemplateElement[value.raw=$]']),
				...crowdedCode,
			],
		},
	},
);

export default tseslint.config(
	{ ignores: ['**/node_modules/', 'dist/', 'output/', 'coverage/', '**/.cache/'] },
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
	...typeAware,
	...n8nStock,
	...tests,
	...importRules,
	...prose,
	{
		// These implement asynchronous interfaces, often without anything to wait for.
		files: ['credentials/**/*.ts', 'test/**/*.{ts,mts}', 'bench/inside/**/*.mts'],
		rules: { '@typescript-eslint/require-await': 'off' },
	},
	{
		files: ['**/*.js'],
		languageOptions: {
			sourceType: 'commonjs',
			globals: { require: 'readonly', exports: 'writable' },
		},
		rules: {
			'@typescript-eslint/no-require-imports': 'off',
			// The rule takes every function destructured from a required module for a method.
			'@typescript-eslint/unbound-method': 'off',
		},
	},
);
