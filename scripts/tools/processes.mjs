import { spawn, spawnSync } from 'node:child_process';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const running = new Set();
const windows = process.platform === 'win32';

/**
 * Starts a process in a group of its own. It can then be stopped with all its children, and Ctrl-C
 * in the terminal reaches only this process, which stops the others in order.
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
 * Sends SIGTERM to the group, and SIGKILL after `graceMs`. Resolves when its leader has exited.
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
	// The leader may have left children behind.
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
		// ESRCH: the group has no processes left.
	}
}

process.on('exit', () => {
	for (const child of running) signalGroup(child, 'SIGKILL');
});
