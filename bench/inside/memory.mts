import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Watches the memory of this process while something runs. Needs `node --expose-gc`. */
export interface Watch {
	/** Ends it. @returns the most that was taken, in bytes above what was taken at its start */
	end(): number;
}

/** The highest resident memory; on Linux by the kernel's own mark, elsewhere by looking often. */
export async function watchPeak(): Promise<Watch> {
	await settle();
	const before = process.memoryUsage.rss();
	if (process.platform === 'linux') {
		// Sets the high-water mark back to what is resident now (man 5 proc).
		writeFileSync('/proc/self/clear_refs', '5');
		return { end: () => highWaterMark() - before };
	}
	return watch(before, 5, () => process.memoryUsage.rss());
}

/** The most memory that could not be freed, by collecting all garbage every second. */
export async function watchLive(): Promise<Watch> {
	await settle();
	return watch(live(), 1000, live);
}

function watch(before: number, ms: number, look: () => number): Watch {
	let most = before;
	const timer = setInterval(() => {
		most = Math.max(most, look());
	}, ms);
	return {
		end() {
			clearInterval(timer);
			return Math.max(most, look()) - before;
		},
	};
}

function live(): number {
	// What the first round frees outside of the heap is counted after the second (Node 24).
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
	if (globalThis.gc === undefined) throw new Error('Start node with --expose-gc');
	globalThis.gc();
}

function highWaterMark(): number {
	const status = readFileSync('/proc/self/status', 'utf8');
	const [, kibibytes = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
	return Number(kibibytes) * 1024;
}
