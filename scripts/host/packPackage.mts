import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root } from '../tools/checkout.mjs';
import { npm } from '../tools/npm.mjs';

/** The packed package, as users download it from npm. */
export interface Tarball {
	name: string;
	file: string;
	bytes: number;
	sha256: string;
}

/** Builds the package and packs it into a folder, after emptying the folder. */
export async function packPackage(folder = join(cache, 'package')): Promise<Tarball> {
	await npm(['run', 'build'], { cwd: root });
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const printed = await npm(['pack', '--json', '--pack-destination', folder], { cwd: root });
	const [packed] = JSON.parse(printed) as [{ name: string; filename: string }];
	const file = join(folder, packed.filename);
	const content = readFileSync(file);
	return {
		name: packed.name,
		file,
		bytes: content.length,
		sha256: createHash('sha256').update(content).digest('hex'),
	};
}
