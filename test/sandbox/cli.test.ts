import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parsePrices, parseRateLimit } from '../../sandbox/cli/values';
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

/** Starts the sandbox on a free port. */
async function serve(...args: string[]) {
	const { child, said, ended } = program('--port', '0', ...args);
	await until(() => said.out.includes('Press Ctrl+C'));
	const url = /http:\/\/[\d.]+:\d+/.exec(said.out)?.[0] ?? '';
	const call = async (key: string) =>
		await sendJson(url, 'text2img', { text: 'x' }, { headers: { 'api-key': key } });
	return { child, said, ended, url, call };
}

it('prints its address, serves, logs calls, and exits 0 on SIGTERM', async () => {
	const keys = ['--api-key', 'my-key', '--api-key', 'second'];
	const { child, said, ended, url, call } = await serve(...keys, '--allowance', '1');
	expect(said.out).toContain('API key: my-key, second');
	expect(said.out).toContain('No AI model runs here: simple rules draw the pictures.');
	expect(said.out).toContain(`${url}/sandbox/ledger`);
	expect((await call('test-key')).status).toBe(401);
	expect((await fileOf(await call('my-key'))).status).toBe(200);
	expect(said.out).toMatch(/ #2 text2img 200, "x", charged to the allowance, \d+ ms\n/);
	child.kill('SIGTERM');
	expect(await ended()).toMatchObject({ code: 0, err: '' });
	expect(said.out).toMatch(/\nStopping the sandbox\. Its files are removed\.\n$/);
});

it('prints no line per call with --quiet, warns if it is open to the network, and exits 0 on SIGINT', async () => {
	const { child, said, ended, call } = await serve('--quiet', '--host', '0.0.0.0');
	expect((await call('test-key')).status).toBe(200);
	expect(said.out).not.toContain('text2img');
	expect(said.err).toMatch(/^Warning: anyone who can reach 0\.0\.0\.0 can use this sandbox/);
	child.kill('SIGINT');
	expect((await ended()).code).toBe(0);
});

it('leaves its files to be removed by the next start if it was killed', async () => {
	const { child, ended } = await serve();
	const folders = () =>
		readdirSync(tmpdir()).filter(
			(name) => /^image-sandbox-\w+-(\d+)-/.exec(name)?.[1] === `${child.pid}`,
		);
	expect(folders()).toHaveLength(1);
	// It cannot clean up. Any sandbox that starts on this machine may remove the files.
	child.kill('SIGKILL');
	await ended();
	const { json } = await start();
	expect(folders()).toStrictEqual([]);
	await start();
	expect((await json('text2img', { text: 'x' })).status).toBe(200);
});

it('says that a port is in use and exits with 1', async () => {
	const { port } = new URL((await start()).sandbox.url);
	expect(await program('--port', port).ended()).toStrictEqual({
		code: 1,
		out: '',
		err: `The sandbox could not start: port ${port} is in use; choose another with --port.\n`,
	});
});

it('refuses an option that it does not understand, says why and exits with 1', async () => {
	const { code, err } = await program('--port', '99999').ended();
	const message: unknown = expect.stringMatching(
		/--port <port>.* It must be an integer from 0 to 65535\./,
	);
	expect([code, err]).toStrictEqual([1, message]);
});

it.each([
	['10/60s', 10, 60],
	['10/s', 10, 1],
	['100/5m', 100, 300],
	['1000/h', 1000, 3600],
])('reads the rate limit %s as %i calls in %i seconds', (text, calls, seconds) => {
	expect(parseRateLimit(text)).toMatchObject({ calls, seconds });
});

it.each([
	['0/s', parseRateLimit, 'calls must be an integer from 1 to 1000000.'],
	['fast', parseRateLimit, 'It must be calls/time, e.g. 10/60s'],
	['gold=1', parsePrices, 'gold is not one of standard, hd, genius, '],
])('refuses the value %j and says what it must be', (text, parse, message) => {
	expect(() => parse(text)).toThrow(message);
});

it('lists the options of the README with --help', async () => {
	const readme = readFileSync('sandbox/README.md', 'utf8');
	const [, options = ''] = /## Options\n([\s\S]+?)\n## /.exec(readme) ?? [];
	const names = [...options.matchAll(/`(--[a-z-]+)`/g)].map(([, name = '']) => name);
	const { code, out } = await program('--help').ended();
	expect(code).toBe(0);
	expect(names.length).toBeGreaterThan(15);
	expect(names.filter((name) => !out.includes(name))).toStrictEqual([]);
});
