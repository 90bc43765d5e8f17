import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { files as examples } from '../support/examples';
import { codesIn, tablesIn } from '../support/markdown';

/** Every page for readers. */
const pages = [
	...readdirSync('.').filter((file) => file.endsWith('.md')),
	...inFolder('docs'),
	...inFolder('.github').filter((file) => !file.endsWith('.md')),
	'sandbox/README.md',
	'sandbox/reference.md',
	'examples/photos/README.md',
];
const texts = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]));
const textOf = (page: string) => texts.get(page) ?? '';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
	scripts: Record<string, string>;
};

function inFolder(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.map((file) => join(folder, file))
		.filter((file) => /\.(md|yml)$/.test(file));
}

/** Folders in which a page may name a file by a shorter path. */
const bases = ['.', 'nodes/ImageGeneration', '.github/workflows'];

/** A page without its code blocks, which have their own test. */
function prose(page: string): string {
	return textOf(page).replace(/^```[\s\S]*?^```$/gm, '');
}

/** What the pattern's group matches, each time. */
function allIn(text: string, pattern: RegExp): string[] {
	return Array.from(text.matchAll(pattern), ([, found = '']) => found);
}

/** Targets of a page's relative links. */
function linksIn(page: string): Array<{ file: string; heading: string }> {
	return allIn(prose(page), /\]\(([^)\s]+)\)/g)
		.filter((target) => !/^[a-z]+:/.test(target))
		.map((target) => {
			const [path = '', heading = ''] = target.split('#');
			return { file: path === '' ? page : normalize(join(dirname(page), path)), heading };
		});
}

/** Anchors of a page's headings, as GitHub generates them. */
function anchorsIn(page: string): string[] {
	return allIn(prose(page), /^#+ (.+)$/gm).map((heading) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.trim()
			.replaceAll(' ', '-'),
	);
}

describe.each(pages)('%s', (page) => {
	it('links only to files and headings that exist', () => {
		const exists = ({ file, heading }: ReturnType<typeof linksIn>[number]) =>
			existsSync(file) && (heading === '' || anchorsIn(file).includes(heading));
		expect(linksIn(page).filter((link) => !exists(link))).toStrictEqual([]);
	});

	it('names only existing npm scripts', () => {
		const text = textOf(page);
		const named = [...allIn(text, /\bnpm run ([\w:-]+)/g), ...allIn(text, /\bnpm (start|test)\b/g)];
		expect(named.filter((name) => !(name in scripts))).toStrictEqual([]);
	});

	it('names only existing files and folders of the project', () => {
		const folders = 'nodes|credentials|icons|sandbox|test|scripts|examples|docs|bench';
		const paths = new RegExp(`\`((?:${folders}|\\.github|\\.ci)/[\\w./-]*)`, 'g');
		const files = /`([\w./-]+\.(?:ts|mts|mjs|json|yml|md))`/g;
		const named = [...allIn(prose(page), paths), ...allIn(prose(page), files)];
		const exists = (path: string) =>
			[dirname(page), ...bases].some((base) => existsSync(join(base, path)));
		expect(named.filter((path) => !exists(path))).toStrictEqual([]);
	});

	it('names no machine, no local path and no registry but npm’s', () => {
		// /home/node is the home folder of n8n's own image.
		expect(textOf(page)).not.toMatch(/\/(work|home(?!\/node\/)|root|tmp|Users)\//);
		const registries = textOf(page).match(/https?:\/\/[\w.-]*registry[\w.-]*/g) ?? [];
		const others = registries.filter((registry) => registry !== 'https://registry.npmjs.org');
		expect(others).toStrictEqual([]);
	});
});

it('CONTRIBUTING.md explains every npm script', () => {
	const entries = allIn(textOf('CONTRIBUTING.md'), /^- (`npm .+)/gm);
	const said = entries.flatMap(codesIn);
	const called = Object.keys(scripts).map((name) =>
		['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`,
	);

	expect(called.filter((command) => !said.includes(command))).toStrictEqual([]);
});

it('every page in docs/ can be reached from the README', () => {
	const reached = new Set(['README.md']);
	for (const page of reached) {
		for (const { file } of linksIn(page)) if (texts.has(file)) reached.add(file);
	}
	expect(inFolder('docs').filter((page) => !reached.has(page))).toStrictEqual([]);
});

it('docs/examples.md shows and links every example', () => {
	const page = textOf('docs/examples.md');
	for (const file of examples) {
		expect(page).toContain(`(../examples/${file})`);
		expect(page).toContain(`(images/examples/${file.replace('.json', '.png')})`);
	}
});

it('docs/development/architecture.md lists every folder of the node', () => {
	const node = 'nodes/ImageGeneration';
	const tables = tablesIn(textOf('docs/development/architecture.md'));
	const rows = tables.find(([row]) => row !== undefined && 'Start with' in row) ?? [];
	const listed = rows.map(({ Folder = '' }) => codesIn(Folder)[0] ?? '');
	const folders = readdirSync(node).filter((name) => statSync(join(node, name)).isDirectory());

	expect(listed.sort()).toStrictEqual(folders.sort());
	const missing = rows.filter((row) => {
		const [file] = codesIn(row['Start with'] ?? '');
		const [folder = ''] = codesIn(row['Folder'] ?? '');
		return file !== undefined && !existsSync(join(node, folder, `${file}.ts`));
	});
	expect(missing).toStrictEqual([]);
});
