import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** By machine, as containers may share a folder for temporary files but not their process ids. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** What the folder of a sandbox in this process begins with. */
export const folderPrefix = join(tmpdir(), `image-sandbox-${machine}-${process.pid}-`);

/** Removes the folders of sandboxes whose process was killed before it could. */
export async function removeLeftovers(): Promise<void> {
	const pattern = new RegExp(`^image-sandbox-${machine}-(\\d+)-`);
	const names = await readdir(tmpdir());
	const left = names.filter((name) => {
		const id = pattern.exec(name)?.[1];
		return id !== undefined && !isRunning(Number(id));
	});
	await Promise.all(
		left.map(async (name) => await rm(join(tmpdir(), name), { recursive: true, force: true })),
	);
}

function isRunning(id: number): boolean {
	try {
		return process.kill(id, 0);
	} catch (error) {
		// A process of somebody else may not be signalled, but it runs.
		return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EPERM';
	}
}
