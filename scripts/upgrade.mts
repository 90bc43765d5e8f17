import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { hostVersion, installHost } from './host/installHost.mjs';
import { missingPieces } from './host/missingPieces.js';
import { cache, hosts, root } from './tools/checkout.mjs';
import { atEnd } from './tools/ending.mjs';
import { npm, published } from './tools/npm.mjs';
import { PlainError } from './tools/PlainError.mjs';
import { run } from './tools/run.mjs';
import { step } from './tools/step.mjs';

const host = join(hosts, 'n8n-2');
const enginePackages = ['n8n-core', 'n8n-workflow'];

/**
 * `npm run upgrade [-- <version>]`: moves `npm start`, the tests and the engine to another n8n 2.
 * Changes nothing unless that version can be installed.
 */
export async function main(args: string[]): Promise<void> {
	const command = new Command('npm run upgrade --')
		.description('Moves the n8n 2 of `npm start` and of the tests to another version.')
		.argument('[version]', 'such as 2.42.0; the newest one by default', exactVersion)
		.parse(args, { from: 'user' });
	const [asked] = command.processedArgs as [string | undefined];
	const from = hostVersion('n8n-2');
	const to = asked ?? (await newestVersion());
	if (to === from) {
		console.log(`n8n ${from} is installed already.`);
		return;
	}
	await step(`Looking for the packages of n8n ${to}`, async () => await checkPieces(to));

	const kept = keepFiles();
	const engine = await step(`Locking n8n ${to}`, async () => await lock(to));
	// `install` prefers npm's cache, which may know only older versions than the lock.
	await step(`Installing n8n ${to}`, async () => {
		await npm(['ci', '--include=dev', '--prefer-online'], { cwd: host });
	});
	await installHost('n8n-2');
	kept();
	console.log(whatNext(from, to, engine, await mentions(from)));
}

function exactVersion(value: string): string {
	if (/^2\.\d+\.\d+$/.test(value)) return value;
	throw new InvalidArgumentError('It must be a version of n8n 2, such as 2.42.0.');
}

async function newestVersion(): Promise<string> {
	const printed = await npm(['view', 'n8n', 'version'], { cwd: root });
	return printed.trim();
}

/** @throws PlainError that names all packages that the registry lacks */
async function checkPieces(version: string): Promise<void> {
	const missing = await missingPieces(
		version,
		async (name, wanted) => await published(name, wanted, root),
	);
	if (missing.length === 0) return;
	const lines = missing.map(
		({ name, version: wanted, neededBy }) =>
			`  ${name} ${wanted}${neededBy === undefined ? '' : `, needed by ${neededBy}`}`,
	);
	throw new PlainError(
		`n8n ${version} can't be installed, because the registry lacks:\n${lines.join('\n')}\n` +
			'Nothing was changed. Try again later, or choose another version.',
	);
}

/**
 * Restores the files that pin n8n when this process ends.
 * @returns a function that keeps the new ones instead
 */
function keepFiles(): () => void {
	const files = [root, host].flatMap((folder) =>
		['package.json', 'package-lock.json'].map((name) => join(folder, name)),
	);
	const before = files.map((file) => readFileSync(file));
	let moved = false;
	atEnd(() => {
		if (moved) return;
		for (const [index, file] of files.entries()) writeFileSync(file, before[index] ?? '');
	});
	return () => {
		moved = true;
	};
}

/**
 * Pins and locks n8n, and the engine that it uses for the tests.
 * @returns the engine's packages with their versions
 */
async function lock(version: string): Promise<Record<string, string>> {
	await pin(host, { n8n: version });
	const { packages } = JSON.parse(readFileSync(join(host, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, { version: string }>;
	};
	const engine = Object.fromEntries(
		enginePackages.map((name) => [name, packages[`node_modules/${name}`]?.version ?? '']),
	);
	await pin(root, engine);
	// npm leaves out the builds for other systems that the registry lacks, and `npm ci` then refuses the
	// lock there.
	await run(process.execPath, [join(root, 'node_modules/jest/bin/jest.js'), 'test/package/lock'], {
		cwd: root,
	});
	return engine;
}

/** Sets versions in a folder's package.json and updates its lock file. */
async function pin(folder: string, versions: Record<string, string>): Promise<void> {
	const file = join(folder, 'package.json');
	const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
		dependencies?: Record<string, string>;
		devDependencies?: Record<string, string>;
	};
	Object.assign(manifest.dependencies ?? manifest.devDependencies ?? {}, versions);
	writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
	// In a folder of its own: where packages are installed, npm drops other systems' builds from the lock.
	const work = join(cache, 'upgrade');
	rmSync(work, { recursive: true, force: true });
	mkdirSync(work, { recursive: true });
	for (const name of ['.npmrc', 'package.json', 'package-lock.json']) {
		copyFileSync(join(folder, name), join(work, name));
	}
	try {
		await npm(['install', '--package-lock-only'], { cwd: work });
	} catch (error) {
		throw new PlainError(
			`${error instanceof Error ? error.message : String(error)}\n` +
				'If the registry lacks a version, choose another one in "overrides" of ' +
				'scripts/hosts/n8n-2/package.json. Nothing was changed.',
			{ cause: error },
		);
	}
	copyFileSync(join(work, 'package-lock.json'), join(folder, 'package-lock.json'));
	rmSync(work, { recursive: true });
}

/** The lines of the checkout that name a version, as `git grep` prints them. */
async function mentions(version: string): Promise<string[]> {
	const args = ['grep', '-n', '-I', '-F', version, '--', '.', ':!*package-lock.json'];
	const printed = await run('git', args, { cwd: root }).catch(() => '');
	return printed.split('\n').filter((line) => line !== '');
}

function whatNext(
	from: string,
	to: string,
	engine: Record<string, string>,
	named: readonly string[],
): string {
	const packages = Object.entries(engine).map(([name, version]) => `${name} ${version}`);
	const inDocs = named.filter((line) => /^\S+\.md:/.test(line));
	const inCode = new Set(
		named.filter((line) => !inDocs.includes(line)).map((line) => line.split(':', 1)[0] ?? ''),
	);
	return `
n8n ${from} → ${to}, and for the engine tests ${packages.join(' and ')}.

Next
  1. Run npm test, npm run verify, npm run test:guarantees and npm run test:e2e.
  2. Update the docs that name ${from}:
${inDocs.map((line) => `     ${line}`).join('\n')}
  3. Update the facts about ${from} whose tests ran again, in:
${[...inCode].map((file) => `     ${file}`).join('\n')}
  4. Take the pictures again if the editor looks different: npm run screenshots.`;
}
