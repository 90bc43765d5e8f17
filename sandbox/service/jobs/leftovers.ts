import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Identifies this machine: containers may share a temporary folder but not process ids. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** How the names of this process's sandbox folders begin. */
export const folderPrefix = join(tmpdir(), `image-sandbox-${machine}-${process.pid}-`);

/** Removes the folders of sandboxes whose process was killed. */
export async function removeLeftovers(): Promise<void> {
	const pattern = new RegExp(`^image-sandbox-${machine}-(\\d+)-`);
	const names = await readdir(tmpdir());
	const leftovers = names.filter((name) => {
		const id = pattern.exec(name)?.[1];
		return id !== undefined && !isRunning(Number(id));
	});
	await Promise.all(
		leftovers.map(async (name) => await rm(join(tmpdir(), name), { recursive: true, force: true })),
	);
}

function isRunning(id: number): boolean {
	try {
		return process.kill(id, 0);
	} catch (error) {
		// EPERM: the process belongs to another user, but it is running.
		return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EPERM';
	}
}
