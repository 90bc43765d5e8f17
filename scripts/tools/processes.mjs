import { spawn, spawnSync } from 'node:child_process';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const running = new Set();
const windows = process.platform === 'win32';

/**
 * Starts a process as the leader of its own group, so that it can be ended with all its children
 * and so that Ctrl-C in the terminal reaches this process alone, which ends the others in order.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Omit<import('node:child_process').SpawnOptions, 'detached'>} options
 * @returns {ChildProcess}
 */
export function startGroup(command, args, options) {
	const child = spawn(command, args, { ...options, detached: !windows, windowsHide: true });
	running.add(child);
	child.once('error', () => running.delete(child));
	return child;
}

/**
 * Asks the group to end, and makes it after `graceMs`. Resolves when its leader is gone.
 * @param {ChildProcess} child
 * @param {number} graceMs
 * @returns {Promise<void>}
 */
export async function stopGroup(child, graceMs) {
	if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
		const gone = new Promise((resolve) => child.once('exit', resolve));
		signalGroup(child, 'SIGTERM');
		const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
		await gone;
		clearTimeout(timer);
	}
	// The leader may be gone and leave children behind.
	signalGroup(child, 'SIGKILL');
	running.delete(child);
}

/** @param {ChildProcess} child @param {'SIGTERM' | 'SIGKILL'} signal */
function signalGroup(child, signal) {
	if (child.pid === undefined) return;
	if (windows) {
		spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
		return;
	}
	try {
		process.kill(-child.pid, signal);
	} catch {
		// ESRCH: nobody is left in the group.
	}
}

process.on('exit', () => {
	for (const child of running) signalGroup(child, 'SIGKILL');
});
