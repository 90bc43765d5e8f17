import ts from 'typescript';

/** @typedef {ReadonlyMap<string, readonly string[]>} Graph which files each file imports */

/**
 * The imports of all programs, which ESLint asks for file by file.
 * @type {WeakMap<ts.Program, Graph>}
 */
const graphs = new WeakMap();

/**
 * Reports imports that lead back to their file. `import-x/no-cycle` skips imports of types (4.15.2), but
 * who reads a file has to know those as well.
 * @type {import('eslint').Rule.RuleModule}
 */
export const noCircles = {
	meta: {
		type: 'suggestion',
		schema: [],
		messages: { circle: 'This import leads back here: {{way}}.' },
	},
	create(context) {
		/** @type {unknown} */
		const services = context.sourceCode.parserServices;
		const { program } = /** @type {{ program: ts.Program }} */ (services);
		const graph = graphs.get(program) ?? importsOf(program);
		graphs.set(program, graph);
		return {
			Program(node) {
				const way = wayBack(graph, context.filename);
				if (way === undefined) return;
				const names = way.map((file) => file.slice(context.cwd.length + 1));
				context.report({ node, messageId: 'circle', data: { way: names.join(' → ') } });
			},
		};
	},
};

/**
 * @param {ts.Program} program
 * @returns {Graph}
 */
function importsOf(program) {
	const options = program.getCompilerOptions();
	const own = program
		.getSourceFiles()
		.filter(({ fileName }) => !fileName.includes('/node_modules/'));
	return new Map(
		own.map(({ fileName, text, impliedNodeFormat }) => {
			const { importedFiles } = ts.preProcessFile(text);
			const files = importedFiles
				.filter((imported) => imported.fileName.startsWith('.'))
				.map((imported) => {
					const { resolvedModule } = ts.resolveModuleName(
						imported.fileName,
						fileName,
						options,
						ts.sys,
						undefined,
						undefined,
						impliedNodeFormat,
					);
					return resolvedModule?.resolvedFileName;
				});
			return [fileName, files.filter((file) => file !== undefined)];
		}),
	);
}

/**
 * The shortest way along imports from a file back to it.
 * @param {Graph} graph
 * @param {string} start
 */
function wayBack(graph, start) {
	/** @type {Set<string>} */
	const seen = new Set();
	const ways = [[start]];
	for (const way of ways) {
		for (const file of graph.get(way.at(-1) ?? '') ?? []) {
			if (file === start) return [...way, file];
			if (!seen.has(file)) ways.push([...way, file]);
			seen.add(file);
		}
	}
	return undefined;
}
