/**
 * What the folders and files of nodes/ImageGeneration may import of each other, from top to bottom. All
 * may import `failures`, `types`, `values` and `wait`. Only `execute` and the node itself may import everything.
 */
const mayImport = {
	run: ['plan', 'recall', 'buy', 'report', 'operations', 'fields', 'service', 'images', 'n8n'],
	plan: ['recall', 'operations', 'fields', 'service', 'images', 'n8n'],
	report: ['buy', 'recall', 'service', 'images', 'n8n'],
	buy: ['recall', 'service', 'images', 'n8n'],
	recall: ['fields', 'service', 'images', 'n8n'],
	n8n: [],
	operations: ['fields'],
	service: ['images'],
	types: ['fields', 'images'],
	images: [],
	fields: [],
	wait: [],
	failures: [],
	values: [],
};

const atTop = ['execute', '*.node'];
const forAll = ['failures', 'types', 'values', 'wait'];
/** Folders that do not ship. */
const tooling = ['sandbox', 'test', 'scripts', 'bench'];

/** Options of ESLint that keep imports pointing down. @type {import('typescript-eslint').ConfigArray} */
export const importRules = [
	mayNotImport('{nodes,credentials}/**/*.ts', tooling, 'What ships may not import tests or tools.'),
	...Object.entries(mayImport).map(([name, others]) => {
		const allowed = [name, ...forAll, ...others];
		const above = [...atTop, ...Object.keys(mayImport)].filter((other) => !allowed.includes(other));
		return mayNotImport(
			`nodes/ImageGeneration/{${name}.ts,${name}/**/*.ts}`,
			[...above, ...tooling],
			`Imports point down only: ${name} may not import this (scripts/config/imports.mjs).`,
		);
	}),
	mayNotImport(
		'sandbox/**/*.ts',
		['nodes', 'credentials', 'test'],
		'The sandbox implements the specification independently, so that it can test the node.',
	),
	mayNotImport(
		'{bench/**/*.{ts,mts},test/{package,sandbox}/*.{ts,mts},test/**/*.{engine.test.ts,e2e.mts,cases.mts}}',
		['*/*', 'execute', 'types', 'wait'].map((name) => `nodes/ImageGeneration/${name}`),
		'These run the node as n8n does. test/support/ has the doors to what it remembers.',
	),
];

/**
 * @param {string} files
 * @param {string[]} names of folders and files that they may not import
 * @param {string} message
 * @returns {import('typescript-eslint').ConfigArray[number]}
 */
function mayNotImport(files, names, message) {
	const group = names.flatMap((name) => [`**/${name}`, `**/${name}/**`]);
	return {
		files: [files],
		rules: {
			'@typescript-eslint/no-restricted-imports': ['error', { patterns: [{ group, message }] }],
		},
	};
}
