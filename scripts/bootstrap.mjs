/**
 * `node scripts/bootstrap.mjs <name> [options]` installs what is missing, then runs
 * `scripts/<name>.mts`, the sandbox, or the tool of that name from an installed package. Every
 * script of package.json begins with it, so that each works in a fresh clone. Written in JavaScript
 * and without packages, because none may be installed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hosts, keepInside, root, sandbox } from './tools/checkout.mjs';
import { end, handleSignals, ignoreSignals, isEnding } from './tools/ending.mjs';
import { install } from './tools/install.mjs';
import { lockedPackages, isInstalled } from './tools/packages.mjs';
import { PlainError } from './tools/PlainError.mjs';

const [, , name = '', ...args] = process.argv;
const script = join(root, 'scripts', `${name}.mts`);

try {
	checkNode();
	handleSignals();
	if (existsSync(script)) await runScript();
	else await runProgram();
} catch (error) {
	// After Ctrl-C, everything that is still running fails; that is expected.
	if (!isEnding()) {
		console.error(error instanceof PlainError ? `\n${error.message}` : error);
		await end(1);
	}
}

/** Runs a script of this project, with temp and cache folders inside the checkout. */
async function runScript() {
	keepInside();
	const needed = [root, sandbox, join(hosts, 'n8n-2')];
	if (name === 'start' && !needed.every(isInstalled)) {
		console.log(
			'The first start installs everything it needs, including n8n. That takes four to five minutes\n' +
				'and 3 GB of disk space, all in this folder. Later starts take about a minute.\n',
		);
	}
	await installAll();
	await import('./tsx.mjs');
	/** @type {unknown} */
	const module = await import(pathToFileURL(script).href);
	await /** @type {{ main: (args: string[]) => Promise<void> }} */ (module).main(args);
	await end(0);
}

/** Runs the sandbox or an installed tool as if it had been started directly. */
async function runProgram() {
	const isSandbox = name === 'sandbox';
	if (isSandbox) {
		await installSandbox();
	} else {
		keepInside();
		await installAll();
	}
	ignoreSignals();
	const file = isSandbox ? join(sandbox, 'main.mjs') : toolFile();
	process.argv = [process.argv0, file, ...args];
	await import(pathToFileURL(file).href);
}

async function installAll() {
	await install(root, "this project's packages");
	// The types, tests and scripts of this project use the sandbox.
	await installSandbox();
}

/** It starts in seconds, because its packages are few. */
async function installSandbox() {
	await install(sandbox, "the sandbox's packages");
}

/** The program that one of this project's packages calls `name`. */
function toolFile() {
	const packages = lockedPackages(root);
	for (const path of Object.keys(packages['']?.devDependencies ?? {})) {
		const file = packages[`node_modules/${path}`]?.bin?.[name];
		if (file !== undefined) return join(root, 'node_modules', path, file);
	}
	throw new PlainError(`There is no script and no installed tool called ${name}.`);
}

/** @throws {PlainError} if this Node is too old */
function checkNode() {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	if (major > 20 || (major === 20 && minor >= 19)) return;
	throw new PlainError(
		`You have Node ${process.versions.node}, but this project needs 20.19 or newer. ` +
			'Install it from https://nodejs.org, then run the command again.',
	);
}
