import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of Chromium. The environment variable CHROMIUM overrides it, for example for Chrome. */
export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Path of Dovecot, which Debian puts where only root looks for programs. */
export const dovecotPath = '/usr/sbin/dovecot';

/** The folder of the newest PostgreSQL's programs, which Debian does not add to the PATH. */
export function postgresFolder(): string | undefined {
	const root = '/usr/lib/postgresql';
	const versions = existsSync(root) ? readdirSync(root).sort().reverse() : [];
	return versions
		.map((version) => join(root, version, 'bin'))
		.find((folder) => existsSync(join(folder, 'initdb')));
}

const isInPath = (program: string) =>
	(process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Debian packages that the end-to-end tests need, because npm does not install them. */
const isInstalled = {
	chromium: () => existsSync(chromiumPath),
	curl: () => isInPath('curl'),
	'dovecot-imapd': () => existsSync(dovecotPath) && existsSync('/usr/lib/dovecot/imap'),
	graphicsmagick: () => isInPath('gm'),
	postgresql: () => postgresFolder() !== undefined,
	'redis-server': () => isInPath('redis-server'),
};

export type DebianPackage = keyof typeof isInstalled;

/** Returns which of the packages are not installed. */
export function missingPackages(packages: Iterable<DebianPackage>): DebianPackage[] {
	return [...new Set(packages)].filter((name) => !isInstalled[name]());
}
