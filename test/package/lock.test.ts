import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

interface LockedPackage {
	resolved?: string;
	integrity?: string;
	optionalDependencies?: Record<string, string>;
}

const hosts = readdirSync(join(root, 'scripts/hosts')).map((name) => `scripts/hosts/${name}`);
const locks = ['.', 'sandbox', ...hosts]
	.map((folder) => join(folder, 'package-lock.json'))
	.filter((file) => existsSync(join(root, file)));

describe.each(locks)('%s', (file) => {
	const { packages } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
		packages: Record<string, LockedPackage>;
	};
	const installed = Object.entries(packages).filter(([path]) => path !== '');

	it('names no host, so that any registry works', () => {
		expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toStrictEqual([]);
	});

	it('has a checksum for every package', () => {
		expect(installed.filter(([, { integrity }]) => integrity === undefined)).toStrictEqual([]);
	});

	// npm 11 writes a lock file without the builds that the registry lacks, which `npm ci` then
	// rejects.
	it('lists a package’s builds for all systems', () => {
		const missing = installed.flatMap(([path, { optionalDependencies = {} }]) =>
			Object.keys(optionalDependencies)
				.filter((name) => !placesFor(name, path).some((place) => place in packages))
				.map((name) => `${name}, wanted by ${path}`),
		);
		expect(missing).toStrictEqual([]);
	});
});

it('the sandbox has the same versions as the project, of the packages that both use', () => {
	const versions = (file: string) => {
		const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
			dependencies?: Record<string, string>;
			devDependencies?: Record<string, string>;
		};
		return manifest.dependencies ?? manifest.devDependencies ?? {};
	};
	const project = versions('package.json');
	const shared = Object.entries(versions('sandbox/package.json')).filter(
		([name]) => name in project,
	);
	expect(shared.map(([name]) => name)).toStrictEqual(['commander', 'sharp', 'tsx']);
	expect(shared.filter(([name, version]) => project[name] !== version)).toStrictEqual([]);
});

/** Where Node looks for a package required by another, nearest first. */
function placesFor(name: string, from: string): string[] {
	const parents = from.split('/node_modules/');
	const above = parents.map((_, index) => parents.slice(0, index + 1).join('/node_modules/'));
	return [...above.map((path) => `${path}/node_modules/${name}`).reverse(), `node_modules/${name}`];
}
