import { spawn, type ChildProcess } from 'node:child_process';
import { until } from '../support/until';
import { sendJson } from './useSandbox';

let program: ChildProcess | undefined;
afterEach(() => program?.kill('SIGKILL'));

it('the program takes its options, warns if it is open to the network, and exits 0 on SIGTERM', async () => {
	const options = ['--port', '0', '--host', '0.0.0.0', '--api-key', 'one', 'two'];
	const command = ['sandbox/main.mjs', ...options, '--rate-limit', '2/5m'];
	const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
	program = child;
	let out = '';
	let err = '';
	child.stdout.on('data', (chunk) => {
		out += String(chunk);
	});
	child.stderr.on('data', (chunk) => {
		err += String(chunk);
	});
	await until(() => err !== '');

	expect(out).toContain('API key: one, two');
	expect(err).toMatch(/^Warning: anyone who can reach 0\.0\.0\.0 can use this sandbox/);
	const url = /http:\/\/[\d.]+:\d+/.exec(out)?.[0] ?? '';
	const statuses: number[] = [];
	for (const key of ['test-key', 'one', 'two', 'two']) {
		const headers = { 'api-key': key };
		statuses.push((await sendJson(url, 'text2img', { text: 'x' }, { headers })).status);
	}
	expect(statuses).toStrictEqual([401, 200, 200, 429]);
	child.kill('SIGTERM');
	await until(() => child.exitCode !== null);
	expect(child.exitCode).toBe(0);
});
