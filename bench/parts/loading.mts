import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { hosts, root } from '../../scripts/tools/checkout.mjs';
import { install } from '../../scripts/tools/install.mjs';
import { npm } from '../../scripts/tools/npm.mjs';
import { run } from '../../scripts/tools/run.mjs';
import type { Lab } from '../Lab.mjs';
import { goal, type Effort, type Part } from '../part.mjs';
import { formatSummary, summarize, type Summary } from '../summary.mjs';

interface Manifest {
	name: string;
	version: string;
	n8n: { nodes: string[]; credentials: string[] };
	dependencies?: Record<string, string>;
}

interface Candidate {
	name: string;
	/** The node and credential files that n8n loads. */
	files: string[];
	/** The size of its download, in words. */
	size: string;
	dependencies: string;
	isOurs: boolean;
}

const PEERS = ['n8n-nodes-htmlcsstoimage', 'n8n-nodes-stable-diffusion', 'n8n-nodes-templated'];

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
	console.log(JSON.stringify({ ms, files: Object.keys(require.cache).length - before }));
`;

/** Measures how long n8n takes to load the node, and how much it downloads. */
export async function loading(lab: Lab, { many }: Effort): Promise<Part> {
	const peers = join(hosts, 'bench');
	await install(peers, 'the other nodes to compare with');
	const ours = await candidateIn(lab.packed.folder, lab.packed.size);
	const candidates = [
		ours,
		...(await Promise.all(
			PEERS.map(async (name) => await candidateIn(join(peers, 'node_modules', name))),
		)),
		httpRequest(lab.host.folder),
	];
	const measured = new Map(
		candidates.map((one) => [one, [] as Array<{ ms: number; files: number }>]),
	);
	const host = join(lab.host.folder, 'package.json');
	for (let round = 0; round < 2 * many; round++) {
		for (const [{ files }, runs] of measured) {
			const printed = await run(lab.host.node, ['-e', program, host, ...files], { cwd: root });
			runs.push(JSON.parse(printed) as { ms: number; files: number });
		}
	}

	const timeOf = (one: Candidate): Summary =>
		summarize((measured.get(one) ?? []).map(({ ms }) => ms));
	return {
		title: '(e) Loading',
		about:
			'What a package adds to an n8n that has loaded its own modules: the time to load its nodes ' +
			'and credentials in a fresh process, how many files it reads, and the size of its tarball.',
		head: ['', 'ms', 'Files', 'Tarball', 'Dependencies'],
		rows: candidates.map((one) => [
			one.name,
			formatSummary(timeOf(one), 1),
			String(measured.get(one)?.[0]?.files),
			one.size,
			one.dependencies,
		]),
		goals: [
			goal('ms to load: at most 10', timeOf(ours), 10, 1),
			goal('kB of tarball: at most 60', summarize([lab.packed.size / 1000]), 60, 1),
		],
		chart: {
			title: 'Loading',
			unit: ' ms',
			digits: 1,
			bars: candidates.map((one) => ({
				name: one.name,
				value: timeOf(one).median,
				isOurs: one.isOurs,
			})),
		},
	};
}

async function candidateIn(folder: string, size?: number): Promise<Candidate> {
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
	const { name, version, n8n, dependencies = {} } = manifest;
	return {
		name: `${name} ${version}`,
		files: [...n8n.nodes, ...n8n.credentials].map((path) => join(folder, path)),
		size: kilobytes(size ?? (await packedSize(folder))),
		dependencies: Object.keys(dependencies).join(', ') || 'none',
		isOurs: size !== undefined,
	};
}

/** The size of an installed package's tarball, computed by packing it again. */
async function packedSize(folder: string): Promise<number> {
	const printed = await npm(['pack', folder, '--dry-run', '--json'], { cwd: root });
	const [{ size }] = JSON.parse(printed) as [{ size: number }];
	return size;
}

function httpRequest(host: string): Candidate {
	const base = join(host, 'node_modules', 'n8n-nodes-base');
	const { version } = JSON.parse(readFileSync(join(base, 'package.json'), 'utf8')) as Manifest;
	const folder = join(base, 'dist', 'nodes', 'HttpRequest');
	const own = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && /\.(js|json|svg)$/.test(entry.name))
		.map((entry) => readFileSync(join(entry.parentPath, entry.name)));
	return {
		name: `HTTP Request of n8n-nodes-base ${version}`,
		files: [join(folder, 'HttpRequest.node.js')],
		size: `built in; its folder ${kilobytes(gzipSync(Buffer.concat(own)).length)}`,
		dependencies: '–',
		isOurs: false,
	};
}

function kilobytes(bytes: number): string {
	return `${(bytes / 1000).toFixed(1)} kB`;
}
