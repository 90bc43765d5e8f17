import { join } from 'node:path';
import { root } from '../scripts/tools/checkout.mjs';
import { PlainError } from '../scripts/tools/PlainError.mjs';
import { startGroup, stopGroup } from '../scripts/tools/processes.mjs';

/** The sandbox in its own process, so that its CPU time and memory are not measured. */
export interface Service {
	/** Without a trailing slash. */
	url: string;
	stop: () => Promise<void>;
}

/** Starts a sandbox that returns images unchanged. @param delayMs how long it takes for each */
export async function startService(delayMs: number): Promise<Service> {
	const command = [join('sandbox', 'main.mjs')];
	const options = ['--port=0', '--allowance=1000000', '--echo-images', `--delay-ms=${delayMs}`];
	const child = startGroup(process.execPath, [...command, ...options], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const url = await new Promise<string>((resolve, reject) => {
		let printed = '';
		child.stdout?.setEncoding('utf8').on('data', (text: string) => {
			printed += text;
			const [address] = /http:\/\/[\w.]+:\d+/.exec(printed) ?? [];
			if (address !== undefined) resolve(address);
		});
		child.once('error', reject);
		child.once('exit', () => reject(new PlainError(`The sandbox did not start: ${printed}`)));
	});
	return { url, stop: async () => await stopGroup(child, 5000) };
}
