import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { until } from '../support/until';
import { fileOf, sendJson } from './clients';
import { useSandboxes } from './useSandbox';

const start = useSandboxes();
const running: ChildProcess[] = [];
afterEach(() => {
	for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Starts the program like `npm run sandbox`. */
function program(...args: string[]) {
	const child = spawn(process.execPath, ['sandbox/main.mjs', ...args]);
	running.push(child);
	const said = { out: '', err: '', code: undefined as number | null | undefined };
	child.stdout.on('data', (chunk) => {
		said.out += String(chunk);
	});
	child.stderr.on('data', (chunk) => {
		said.err += String(chunk);
	});
	child.once('close', (code) => {
		said.code = code;
	});
	const ended = async () => {
		await until(() => said.code !== undefined);
		return said;
	};
	return { child, said, ended };
}

it('prints its address, serves, warns if it is open to the network, and exits 0 on SIGTERM', async () => {
	const options = ['--port', '0', '--host', '0.0.0.0', '--api-key', 'one', 'two'];
	const { child, said, ended } = program(...options, '--rate-limit', '2/5m');
	await until(() => said.err !== '');
	expect(said.out).toContain('API key: one, two');
	expect(said.out).toContain('No AI model runs here: simple rules draw the pictures.');
	expect(said.err).toMatch(/^Warning: anyone who can reach 0\.0\.0\.0 can use this sandbox/);
	const url = /http:\/\/[\d.]+:\d+/.exec(said.out)?.[0] ?? '';
	const call = async (key: string) =>
		await sendJson(url, 'text2img', { text: 'x' }, { headers: { 'api-key': key } });
	expect((await call('test-key')).status).toBe(401);
	expect((await fileOf(await call('one'))).status).toBe(200);
	expect([(await call('two')).status, (await call('two')).status]).toStrictEqual([200, 429]);
	child.kill('SIGTERM');
	expect((await ended()).code).toBe(0);
});

it('says that a port is in use and exits with 1', async () => {
	const { port } = new URL((await start()).sandbox.url);
	expect(await program('--port', port).ended()).toStrictEqual({
		code: 1,
		out: '',
		err: `The sandbox could not start: port ${port} is in use; choose another with --port.\n`,
	});
});

it('--help lists the options that the README names', async () => {
	const readme = readFileSync('sandbox/README.md', 'utf8');
	const names = [...readme.matchAll(/--[a-z]+[a-z-]*/g)].map(([name]) => name);
	const { code, out } = await program('--help').ended();
	expect(code).toBe(0);
	expect(names.length).toBeGreaterThan(2);
	expect(names.filter((name) => !out.includes(name))).toStrictEqual([]);
});
