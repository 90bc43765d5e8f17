import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Chromium's program; CHROMIUM names another one, such as Chrome. */
export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** The folder of the newest PostgreSQL's programs, which Debian keeps out of the PATH. */
export function postgresFolder(): string | undefined {
	const root = '/usr/lib/postgresql';
	const versions = existsSync(root) ? readdirSync(root).sort().reverse() : [];
	return versions
		.map((version) => join(root, version, 'bin'))
		.find((folder) => existsSync(join(folder, 'initdb')));
}

const isInPath = (program: string) =>
	(process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** What the end-to-end tests need and npm does not install, by the names of Debian's packages. */
const isInstalled = {
	chromium: () => existsSync(chromiumPath),
	curl: () => isInPath('curl'),
	postgresql: () => postgresFolder() !== undefined,
	'redis-server': () => isInPath('redis-server'),
};

export type DebianPackage = keyof typeof isInstalled;

/** Those of the packages that are not installed. */
export function missingPackages(packages: Iterable<DebianPackage>): DebianPackage[] {
	return [...new Set(packages)].filter((name) => !isInstalled[name]());
}
