import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cache } from '../tools/checkout.mjs';
import { atEnd } from '../tools/ending.mjs';
import { PlainError } from '../tools/PlainError.mjs';

const file = join(cache, 'running.pid');

/** Keeps a second n8n from opening the same database. */
export function claimCheckout(): void {
	const other = runningProcess();
	if (other !== undefined) {
		throw new PlainError(
			`An n8n of this checkout is running already (process ${other}). End it with Ctrl-C where ` +
				`it was started. If there is none, delete ${file}.`,
		);
	}
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, String(process.pid));
	atEnd(() => rmSync(file, { force: true }));
}

function runningProcess(): number | undefined {
	try {
		const pid = Number(readFileSync(file, 'utf8'));
		process.kill(pid, 0);
		return pid;
	} catch {
		// No file, or ESRCH: its process is gone.
		return undefined;
	}
}
