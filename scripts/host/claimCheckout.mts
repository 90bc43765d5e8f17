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
			`n8n is already running from this checkout (process ${other}). Stop it with Ctrl+C in its ` +
				`terminal. If that process is not n8n, delete ${file}.`,
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
		// There is no file, or its process has exited (ESRCH).
		return undefined;
	}
}
