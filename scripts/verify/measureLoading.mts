import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const runs = 21;

const program = `
	require('n8n-workflow');
	const start = process.hrtime.bigint();
	for (const file of process.argv.slice(1)) for (const Class of Object.values(require(file))) new Class();
	console.log(Number(process.hrtime.bigint() - start));
`;

/** Measures how many milliseconds node and credential take to load, n8n-workflow aside. */
export function measureLoading(packedFolder: string): { median: number; runs: number } {
	const manifest = JSON.parse(readFileSync(join(packedFolder, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const { nodes, credentials } = manifest.n8n;
	const files = [...nodes, ...credentials].map((path) => join(packedFolder, path));
	const times = Array.from({ length: runs }, () =>
		Number(
			execFileSync(process.execPath, ['-e', program, ...files], {
				cwd: packedFolder,
				encoding: 'utf8',
			}),
		),
	).sort((a, b) => a - b);
	return { median: (times[(runs - 1) / 2] ?? NaN) / 1e6, runs };
}
