import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root } from '../tools/checkout.mjs';
import { npm } from '../tools/npm.mjs';

/**
 * Builds the package and packs it into a folder, after emptying the folder.
 *
 * @returns the path of the tarball, as users download it from npm
 */
export async function packPackage(folder = join(cache, 'package')): Promise<string> {
	await npm(['run', 'build'], { cwd: root });
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const printed = await npm(['pack', '--json', '--pack-destination', folder], { cwd: root });
	const [packed] = JSON.parse(printed) as [{ filename: string }];
	return join(folder, packed.filename);
}
