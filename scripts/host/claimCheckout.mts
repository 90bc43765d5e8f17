import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../tools/checkout.mjs';
import { atEnd } from '../tools/ending.mjs';
import { PlainError } from '../tools/PlainError.mjs';

const file = join(cache, 'running.pid');

/** Keeps a second n8n from opening the same database. */
export function claimCheckout(): void {
	const other = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
	if (other > 0 && isRunning(other)) {
		throw new PlainError(
			`n8n is already running from this checkout (process ${other}). Stop it with Ctrl+C in its ` +
				`terminal. If that process is not n8n, delete ${file}.`,
		);
	}
	writeFileSync(file, String(process.pid));
	atEnd(() => rmSync(file, { force: true }));
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
