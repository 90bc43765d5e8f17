/**
 * `node scripts/releaseNotes.mjs v1.2.3` prints the CHANGELOG.md section of a version. It stops the
 * release if the tag, package.json and the changelog do not match, or if no publisher is named yet
 * (docs/development/releasing.md). It uses no packages.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlainError } from './tools/PlainError.mjs';

const PLACEHOLDER = 'n8n-nodes-image-generation.invalid';
const NAMING = ['package.json', 'README.md', 'SECURITY.md', 'credentials', 'nodes'];

/**
 * @param {string} tag
 * @param {string} root
 * @returns {string}
 * @throws {PlainError} that says what does not match
 */
export function releaseNotes(tag, root) {
	/** @type {unknown} */
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const { version } = /** @type {{ version: string }} */ (manifest);
	if (tag !== `v${version}`) {
		throw new PlainError(`The tag is ${tag}, but package.json says ${version}.`);
	}
	const unnamed = NAMING.flatMap((path) => filesIn(join(root, path)))
		.filter((file) => readFileSync(file, 'utf8').includes(PLACEHOLDER))
		.map((file) => relative(root, file));
	if (unnamed.length > 0) {
		throw new PlainError(
			`No publisher is named yet in ${unnamed.join(', ')}: docs/development/releasing.md.`,
		);
	}
	const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
	const section = changelog.split(/^## /m).find((text) => text.startsWith(`[${version}] - `));
	const notes = section?.split('\n').slice(1).join('\n').trim() ?? '';
	if (notes === '') {
		throw new PlainError(`CHANGELOG.md has nothing under "## [${version}] - <date>".`);
	}
	return notes;
}

/** @param {string} path @returns {string[]} */
function filesIn(path) {
	if (statSync(path).isFile()) return [path];
	return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	try {
		const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
		console.log(releaseNotes(process.argv[2] ?? '', root));
	} catch (error) {
		console.error(error instanceof PlainError ? error.message : error);
		process.exitCode = 1;
	}
}
