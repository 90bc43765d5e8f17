import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hosts } from '../../../scripts/tools/checkout.mjs';

/** The version of n8n that a folder in `scripts/hosts/` pins. */
export function hostVersion(hostName: string): string {
	const file = join(hosts, hostName, 'package.json');
	const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
		dependencies: { n8n: string };
	};
	return dependencies.n8n;
}
