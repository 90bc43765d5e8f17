import { once, setMaxListeners } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { INSTALLED, shareN8n } from '../test/support/wholeN8n/testedN8n.mjs';
import { missingPackages, type DebianPackage } from './host/debianPackages.mjs';
import { installHost } from './host/installHost.mjs';
import { installPackage } from './host/installPackage.mjs';
import { packPackage } from './host/packPackage.mjs';
import { cache, root } from './tools/checkout.mjs';
import { atEnd } from './tools/ending.mjs';
import { PlainError } from './tools/PlainError.mjs';
import { step } from './tools/step.mjs';

const folder = join(root, 'test');

/** The files that take longest begin first. The last one of these is the first. */
const longest = [
	'examples',
	'executions',
	'approval',
	'telegramBot',
	'restarts',
	'queue',
	'editor',
];

/** `npm run test:e2e`: runs test files two at a time. Most share one n8n of each version. */
export async function main(args: string[]): Promise<void> {
	const started = Date.now();
	const command = new Command('npm run test:e2e --')
		.description('Tests the packed node in two versions of n8n and a real browser.')
		.argument('[names...]', 'run only the files that begin so, such as "editor"')
		.option('--missing', 'only print which Debian packages are missing')
		.parse(args, { from: 'user' });
	const files = testFiles(command.args);
	const missing = missingPackages(files.flatMap(packagesFor)).sort().join(' ');
	if (command.opts<{ missing?: true }>().missing) {
		console.log(missing);
		return;
	}
	if (missing !== '') {
		throw new PlainError(
			`The end-to-end tests need ${missing}. On Debian: apt-get install -y ${missing}.` +
				(missing.includes('chromium')
					? ' If you have another Chromium or Chrome, set the environment variable CHROMIUM to its path.'
					: ''),
		);
	}
	const hosts = await Promise.all(['n8n-2', 'n8n-1'].map(installHost));
	console.log(`Installed: n8n ${hosts.map(({ version }) => version).join(', ')}`);
	const place = { folder: join(cache, 'e2e-package'), fileAccess: [] };
	await step('Building, packing and installing the node', async () => {
		await installPackage(place, await packPackage(place.folder));
	});

	process.env[INSTALLED] = place.folder;
	await shareN8n();
	// Each file's process needs tsx as well; in Node 20 NODE_OPTIONS is the only way to pass it on.
	process.env.NODE_OPTIONS = `--import ${pathToFileURL(join(root, 'scripts', 'tsx.mjs')).href}`;
	const { passed, failed } = await runFiles(files);

	// In jest's words, for the last line of .ci/run.
	const results = { numPassedTests: passed, numFailedTests: failed };
	writeFileSync(join(cache, 'e2e.json'), JSON.stringify(results));
	const minutes = ((Date.now() - started) / 60_000).toFixed(1);
	console.log(`\nEnd to end: ${passed} passed, ${failed} failed, ${minutes} min`);
	if (failed > 0) throw new PlainError('Some end-to-end tests failed. See above.');
}

function testFiles(names: string[]): string[] {
	const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
		path.endsWith('.e2e.mts'),
	);
	const chosen = all.filter(
		(path) => names.length === 0 || names.some((name) => basename(path).startsWith(name)),
	);
	if (chosen.length === 0) {
		throw new PlainError(
			`No test file matches ${names.join(' or ')}. Available files: ${all.map((path) => basename(path)).join(', ')}.`,
		);
	}
	const order = (path: string) => longest.indexOf(basename(path, '.e2e.mts'));
	chosen.sort((one, other) => order(other) - order(one));
	return chosen.map((name) => join(folder, name));
}

/** The Debian packages that a test file needs. */
function packagesFor(file: string): DebianPackage[] {
	switch (basename(file, '.e2e.mts')) {
		case 'queue':
			return ['postgresql', 'redis-server'];
		case 'mail':
			return ['dovecot-imapd'];
		// n8n's Edit Image needs GraphicsMagick.
		case 'examples':
			return ['chromium', 'curl', 'graphicsmagick'];
		default:
			return ['chromium', 'curl'];
	}
}

async function runFiles(files: string[]): Promise<{ passed: number; failed: number }> {
	const stop = new AbortController();
	// Each file's process listens, and from the eleventh listener on Node would warn of a leak.
	setMaxListeners(0, stop.signal);
	// A file spends much of its time waiting for n8n and its own stand-ins.
	const results = run({ files, concurrency: 2, signal: stop.signal });
	const count = { passed: 0, failed: 0 };
	// Suites are not counted: they pass or fail with their tests.
	results.on('test:pass', ({ details }) => {
		if (details.type !== 'suite') count.passed++;
	});
	results.on('test:fail', ({ details }) => {
		if (details.type !== 'suite') count.failed++;
	});
	const report = results.pipe(new spec());
	report.pipe(process.stdout, { end: false });
	const reported = once(report, 'end');
	atEnd(async () => {
		stop.abort();
		await reported;
	});
	await reported;
	return count;
}
