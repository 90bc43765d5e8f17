import { mkdirSync } from 'node:fs';
import { root } from '../tools/checkout.mjs';
import { PlainError } from '../tools/PlainError.mjs';
import { run } from '../tools/run.mjs';
import { environment, temporary, type Place } from './environment.mjs';
import type { Host } from './installHost.mjs';

/**
 * Runs one n8n command, such as `import:workflow`, while no server runs.
 * @param done what n8n prints when it worked: it exits with 0 when it did not, too (2.40.3)
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
		throw new PlainError(`n8n ${args.join(' ')} did not work:\n${printed.trim()}`);
	}
}
