import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/** Starts Node's CPU profiler (that of `--cpu-prof`) for the measured part only. */
export async function startProfile(file: string): Promise<{ end(): Promise<void> }> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: 200 });
	await session.post('Profiler.start');
	return {
		async end() {
			const { profile } = await session.post('Profiler.stop');
			writeFileSync(file, JSON.stringify(profile));
			session.disconnect();
		},
	};
}
