import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const SCRIPTS = ['scripts/releaseNotes.mjs', 'scripts/tools'];
const PARTS = ['package.json', 'README.md', 'SECURITY.md', 'credentials', 'nodes', ...SCRIPTS];
const NAMED = 'example.com';

let copy: string;

beforeEach(() => {
	mkdirSync(join(root, '.cache'), { recursive: true });
	copy = mkdtempSync(join(root, '.cache', 'release-'));
	for (const part of PARTS) cpSync(join(root, part), join(copy, part), { recursive: true });
	change('package.json', (text) => text.replace(/"version": ".*"/, '"version": "1.2.3"'));
	for (const file of naming) change(file, (text) => text.replaceAll(PLACEHOLDER, NAMED));
	writeFileSync(
		join(copy, 'CHANGELOG.md'),
		'# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-12-24\n\n### Added\n\n- A star.\n\n## [1.2.2] - 2026-12-01\n\n- A tree.\n',
	);
});

afterEach(() => rmSync(copy, { recursive: true }));

const PLACEHOLDER = 'n8n-nodes-image-generation.invalid';
const naming = [
	'package.json',
	'README.md',
	'SECURITY.md',
	'credentials/ImageGenerationApi.credentials.ts',
	'nodes/ImageGeneration/ImageGeneration.node.json',
];

function change(file: string, how: (text: string) => string): void {
	writeFileSync(join(copy, file), how(readFileSync(join(copy, file), 'utf8')));
}

/** A file with the placeholder, even if this checkout already names a publisher. */
function unnamed(text: string): string {
	if (!text.startsWith('{')) return `${text}\n// ${PLACEHOLDER}\n`;
	return JSON.stringify({ ...(JSON.parse(text) as object), homepage: PLACEHOLDER });
}

/** Prepares a release. @returns its exit code and what it said */
function release(tag: string): [code: number | null, said: string] {
	const script = join(copy, 'scripts', 'releaseNotes.mjs');
	const { status, stdout, stderr } = spawnSync(process.execPath, [script, tag], {
		encoding: 'utf8',
	});
	return [status, stdout + stderr];
}

describe('a release', () => {
	it('prints its version’s section of the changelog', () => {
		expect(release('v1.2.3')).toStrictEqual([0, '### Added\n\n- A star.\n']);
	});

	it('fails if the tag is not the version in package.json', () => {
		const message = 'The tag is v1.2.4, but package.json says 1.2.3.\n';
		expect(release('v1.2.4')).toStrictEqual([1, message]);
	});

	it('fails if the changelog has no section for the version', () => {
		change('CHANGELOG.md', (text) => text.replace('[1.2.3]', '[1.2.4]'));
		const message = 'CHANGELOG.md has nothing under "## [1.2.3] - <date>"';
		expect(release('v1.2.3')).toStrictEqual([1, expect.stringContaining(message)]);
	});

	it.each(naming)('fails if %s does not name a publisher', (file) => {
		change(file, unnamed);
		const message = `No publisher is named yet in ${join(file)}`;
		expect(release('v1.2.3')).toStrictEqual([1, expect.stringContaining(message)]);
	});
});
