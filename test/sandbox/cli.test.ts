import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox';
import { until } from '../support/until';
import { fileOf, send, sendJson } from './clients';

const root = join(__dirname, '../..');
const running: ChildProcess[] = [];
afterEach(() => {
	for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Starts the program like `npm run sandbox`. */
function sandbox(...args: string[]) {
	const child = spawn(
		process.execPath,
		['--import', './scripts/tsx.mjs', 'sandbox/cli.ts', ...args],
		{
			cwd: root,
		},
	);
	running.push(child);
	const said = { out: '', err: '', code: undefined as number | null | undefined };
	child.stdout.on('data', (chunk) => (said.out += String(chunk)));
	child.stderr.on('data', (chunk) => (said.err += String(chunk)));
	child.once('close', (code) => (said.code = code));
	const ended = async () => {
		await until(() => said.code !== undefined);
		return said;
	};
	return { child, said, ended };
}

it.each(['SIGTERM', 'SIGINT'] as const)(
	'prints its address, serves, and exits 0 on %s',
	async (signal) => {
		const { child, said, ended } = sandbox(
			'--port',
			'0',
			'--api-key',
			'my-key',
			'--api-key',
			'second',
			'--allowance',
			'1',
		);
		await until(() => said.out.includes('Press Ctrl+C'));
		const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said.out)?.[0] ?? '';
		expect(said.out).toContain('API key: my-key, second');
		expect(said.out).toContain('No AI model runs here: simple rules draw the pictures.');
		expect(said.out).toContain(`${url}/sandbox/ledger`);
		expect(said.out).not.toContain('Warning');
		expect((await sendJson(url, 'text2img', { text: 'x' })).status).toBe(401);
		const made = await send(`${url}/api/text2img`, {
			method: 'POST',
			body: new URLSearchParams({ text: 'x' }),
			headers: { 'api-key': 'my-key' },
		});
		expect((await fileOf(made)).status).toBe(200);
		expect((await send(`${url}/sandbox/account`)).json()).toMatchObject({ allowanceLeft: 0 });
		expect(said.out).toMatch(/ #2 text2img 200, "x", charged to the allowance, \d+ ms\n/);
		child.kill(signal);
		expect(await ended()).toMatchObject({ code: 0, err: '' });
		expect(said.out).toMatch(/\nStopping the sandbox\. Its files are removed\.\n$/);
	},
);

it('says that a port is in use and exits with 1', async () => {
	const other = await startSandbox();
	try {
		const { port } = new URL(other.url);
		const { code, err, out } = await sandbox('--port', port).ended();
		expect([code, out, err]).toEqual([
			1,
			'',
			`The sandbox could not start: port ${port} is in use; choose another with --port.\n`,
		]);
	} finally {
		await other.close();
	}
});

it.each([
	[['--port', '99999'], /--port <port>.* It must be an integer from 0 to 65535\./],
	[['--allowance', '-1'], /It must be an integer from 0/],
	[['--api-key', ''], /--api-key <key>.* It must not be empty\./],
	[['--colour'], /unknown option '--colour'/],
])('refuses %j, says why and exits with 1', async (args, message) => {
	const { code, err } = await sandbox(...args).ended();
	expect([code, err]).toEqual([1, expect.stringMatching(message)]);
});

it('prints no line per call with --quiet', async () => {
	const { said } = sandbox('--port', '0', '--quiet');
	await until(() => said.out.includes('Press Ctrl+C'));
	const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said.out)?.[0] ?? '';
	expect((await sendJson(url, 'text2img', { text: 'x' })).status).toBe(200);
	expect(said.out).not.toContain('text2img');
	const { code, out } = await sandbox('top-up', '5', '--url', url, '--key', 'test-key').ended();
	expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ walletCentsLeft: 1005 })]);
	const unknown = await sandbox('use-up', '--url', url, '--key', 'other').ended();
	expect([unknown.code, unknown.err]).toEqual([1, 'There is no API key "other".\n']);
});

it('says its version with --version', async () => {
	expect((await sandbox('--version').ended()).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it('warns if it is open to the network', async () => {
	const { said, child, ended } = sandbox('--host', '0.0.0.0', '--port', '0');
	await until(() => said.out.includes('Press Ctrl+C'));
	await until(() => said.err.includes('\n'));
	expect(said.err).toMatch(/^Warning: anyone who can reach 0\.0\.0\.0 can use this sandbox/);
	child.kill('SIGTERM');
	expect((await ended()).code).toBe(0);
});

it('lists its options with --help', async () => {
	const { code, out } = await sandbox('--help').ended();
	expect(code).toBe(0);
	for (const option of [
		...['--host', '--port', '--api-key', '--unsubscribed-key', '--allowance', '--wallet-cents'],
		...['--delay-ms', '--max-image-bytes', '--echo-images', 'No AI model'],
	]) {
		expect(out).toContain(option);
	}
});
