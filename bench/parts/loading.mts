import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/tools/checkout.mjs';
import { run } from '../../scripts/tools/run.mjs';
import type { StartPart } from '../part.mjs';

const program = `
	const { basename } = require('node:path');
	const { createRequire } = require('node:module');
	const [host, ...files] = process.argv.slice(1);
	createRequire(host)('n8n-core');
	for (const file of files) createRequire(file)('n8n-workflow');
	const before = Object.keys(require.cache).length;
	const start = performance.now();
	for (const file of files) new (require(file)[basename(file).split('.')[0]])();
	const ms = performance.now() - start;
	console.log(JSON.stringify({ ms, modules: Object.keys(require.cache).length - before }));
`;

/** How long n8n takes to load the node, and how much it downloads. */
export const loading: StartPart = (lab) => {
	const host = join(lab.host.folder, 'package.json');
	const base = join(lab.host.folder, 'node_modules', 'n8n-nodes-base');
	const caseOf = (
		name: string,
		files: (build: string) => string[],
		sizeOf: (build: string) => number | undefined,
	) => ({
		name,
		measure: async (build: string) => {
			const paths = files(build);
			const printed = await run(lab.host.node, ['-e', program, host, ...paths], { cwd: root });
			const { ms, modules } = JSON.parse(printed) as { ms: number; modules: number };
			return [ms, modules, sizeOf(build)];
		},
	});
	// Another build is only copied, not packed.
	const kilobytes = (build: string) =>
		build === lab.packed.folder ? lab.packed.size / 1000 : undefined;
	const ours = { ...caseOf('Image Generation', filesOf, kilobytes), isOurs: true };
	const httpRequest = join(base, 'dist', 'nodes', 'HttpRequest', 'HttpRequest.node.js');
	const theirs = caseOf(
		'HTTP Request',
		() => [httpRequest],
		() => undefined,
	);
	return {
		title: '(e) Loading',
		about:
			'What a package adds to an n8n that has loaded its own modules: the time to load its nodes ' +
			'and credentials in a fresh process, how many files it reads, and the size of its tarball.',
		head: '',
		figures: [
			{ name: 'ms', digits: 1 },
			{ name: 'Files', digits: 0 },
			{ name: 'kB of tarball', digits: 1 },
		],
		cases: [ours, theirs],
		goals: [{ of: ours, figure: 0, to: theirs, max: 0.05 }],
	};
};

/** The node and credential files that n8n loads. */
function filesOf(folder: string): string[] {
	const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
	const { n8n } = JSON.parse(manifest) as { n8n: { nodes: string[]; credentials: string[] } };
	return [...n8n.nodes, ...n8n.credentials].map((path) => join(folder, path));
}
