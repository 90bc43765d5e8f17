import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { filesIn, pack, type Packed } from './pack';

const root = resolve(__dirname, '../..');

interface Manifest {
	name: string;
	peerDependencies: Record<string, string>;
	scripts: Record<string, string>;
}

interface Loaded {
	nodes: Array<{
		iconUrl: Record<'light' | 'dark', string>;
		codex?: { categories?: string[] };
		schemas: Array<{ type?: string } | undefined>;
	}>;
	credentials: Array<{ iconUrl: Record<'light' | 'dark', string> }>;
	/** The files that Node loaded. */
	modules: string[];
}

let packed: Packed;
let manifest: Manifest;

const read = (file: string) => readFileSync(join(packed.folder, file), 'utf8');

beforeAll(() => {
	packed = pack(root);
	manifest = JSON.parse(read('package.json')) as Manifest;
});

afterAll(() => packed.remove());

it('the package has what n8n needs at run time and nothing else', () => {
	const sources = ['nodes', 'credentials', 'icons'].flatMap((folder) =>
		filesIn(join(root, folder)).map((file) => `dist/${folder}/${file.replace(/\.ts$/, '.js')}`),
	);
	const expected = ['LICENSE', 'README.md', 'package.json', ...sources].sort();
	expect(packed.files).toStrictEqual(expected);
	expect(packed.files.every((file) => /\.(js|json|svg|png|md)$|^LICENSE$/.test(file))).toBe(true);
});

it('the package is smaller than 120 kB', () => {
	expect(packed.size).toBeLessThan(120_000);
});

it('the package has no dependencies and no install scripts', () => {
	const lists = [
		'dependencies',
		'optionalDependencies',
		'bundleDependencies',
		'bundledDependencies',
	];
	expect(Object.keys(manifest).filter((name) => lists.includes(name))).toStrictEqual([]);
	expect(manifest.peerDependencies).toStrictEqual({ 'n8n-workflow': '*' });
	const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
	expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toStrictEqual([]);
});

it('the package has no local paths, no source maps and nothing that looks like a key', () => {
	const texts = packed.files.filter((file) => /\.(js|json)$/.test(file)).map(read);
	for (const text of texts) {
		expect(text).not.toContain(root);
		expect(text).not.toContain('sourceMappingURL');
		expect(text).not.toMatch(/BEGIN [A-Z ]*PRIVATE KEY|[\w+/-]{48,}|\b(?:[0-9a-f]{4,12}-){4}/);
	}
});

it('the package has no address that leads nowhere, except where only a publisher knows a better one', () => {
	const placeholders = packed.files.filter((file) => /\/\/[^\s"']*\.invalid\b/.test(read(file)));
	expect(placeholders.filter((file) => file !== 'package.json')).toStrictEqual([]);
});

describe('n8n’s loader', () => {
	const loaded = {} as Loaded;

	beforeAll(() => {
		const output = execFileSync(process.execPath, [join(__dirname, 'load.mjs'), packed.folder], {
			env: { ...process.env, NODE_ENV: 'production', N8N_USER_FOLDER: packed.folder },
			encoding: 'utf8',
		});
		Object.assign(loaded, JSON.parse(output));
	});

	it('loads one node and the credential it uses', () => {
		const [node, credential] = ['imageGeneration', 'imageGenerationApi'];
		expect(loaded.nodes).toMatchObject([{ name: node, version: 1 }]);
		expect(loaded.credentials).toMatchObject([{ name: credential, supportedNodes: [node] }]);
	});

	it('finds the codex and an output schema for each operation', () => {
		expect(loaded.nodes[0]?.codex?.categories).not.toHaveLength(0);
		const codex = JSON.parse(
			read('dist/nodes/ImageGeneration/ImageGeneration.node.json'),
		) as object;
		expect(codex).toHaveProperty('node', 'n8n-nodes-image-generation.imageGeneration');
		// n8n then opens the page at npm.
		expect(codex).not.toHaveProperty('resources.primaryDocumentation');
		const types = loaded.nodes[0]?.schemas.map((schema) => schema?.type);
		expect(types).toStrictEqual(['object', 'object', 'object']);
	});

	it('finds a light and a dark icon, the only images in the package', () => {
		const types = [...loaded.nodes, ...loaded.credentials];
		const urls = types.flatMap(({ iconUrl: { light, dark } }) => [light, dark]);
		const named = [...new Set(urls)].map((url) => url.replace(`icons/${manifest.name}/`, ''));
		expect(named).toHaveLength(2);
		expect(packed.files.filter((file) => /\.(svg|png)$/.test(file))).toStrictEqual(named.sort());
	});

	it('loads every module except those with only types', () => {
		const unused = packed.files
			.filter((file) => file.endsWith('.js'))
			.filter((file) => !loaded.modules.includes(join(packed.folder, file)))
			.filter((file) => /require\(|exports\.\w+ = |function |class /.test(read(file)));
		expect(unused).toStrictEqual([]);
	});
});
