import { mkdirSync } from 'node:fs';
import { root } from '../tools/checkout.mjs';
import { PlainError } from '../tools/PlainError.mjs';
import { run } from '../tools/run.mjs';
import { environment, temporary, type Place } from './environment.mjs';
import type { Host } from './installHost.mjs';

/**
 * Runs an n8n command, such as `import:workflow`, while no server is running.
 *
 * @param done what n8n prints on success; it exits with 0 even if the command failed (2.40.3)
 */
export async function n8nCommand(
	host: Host,
	place: Place,
	args: readonly string[],
	done: string,
): Promise<void> {
	mkdirSync(temporary(place), { recursive: true });
	const printed = await run(host.node, [host.n8n, ...args], {
		cwd: root,
		env: environment(host, place),
	});
	if (!printed.includes(done)) {
		throw new PlainError(`n8n ${args.join(' ')} failed:\n${printed.trim()}`);
	}
}
