import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Watches the memory of this process. Needs `node --expose-gc`. */
export interface Watch {
	/** Stops watching. @returns the peak, in bytes above the start */
	end(): number;
}

/** Watches resident memory: on Linux with the kernel's peak, elsewhere by polling. */
export async function watchPeak(): Promise<Watch> {
	await settle();
	const before = process.memoryUsage.rss();
	if (process.platform === 'linux') {
		// Resets the peak to what is resident now (man 5 proc).
		writeFileSync('/proc/self/clear_refs', '5');
		return { end: () => highWaterMark() - before };
	}
	return poll(before);
}

function poll(before: number): Watch {
	let peak = before;
	const look = () => (peak = Math.max(peak, process.memoryUsage.rss()));
	const timer = setInterval(look, 5);
	return {
		end() {
			clearInterval(timer);
			return look() - before;
		},
	};
}

async function settle(): Promise<void> {
	for (let times = 0; times < 3; times++) {
		collect();
		await sleep(100);
	}
}

function collect(): void {
	if (globalThis.gc === undefined) throw new Error('Start node with --expose-gc.');
	globalThis.gc();
}

function highWaterMark(): number {
	const status = readFileSync('/proc/self/status', 'utf8');
	const [, kibibytes = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
	return Number(kibibytes) * 1024;
}
