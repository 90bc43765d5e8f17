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
	return watch(before, 5, () => process.memoryUsage.rss());
}

/** Watches the memory that is in use after collecting all garbage, every second. */
export async function watchLive(): Promise<Watch> {
	await settle();
	return watch(live(), 1000, live);
}

function watch(before: number, ms: number, read: () => number): Watch {
	let peak = before;
	const look = () => (peak = Math.max(peak, read()));
	const timer = setInterval(look, ms);
	return {
		end() {
			clearInterval(timer);
			return look() - before;
		},
	};
}

function live(): number {
	// `external` shows what the first collection freed only after the second one (Node 24).
	collect();
	collect();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
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
