import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox';
import { faults } from '../../sandbox/faults/table';
import { send, sendJson } from './clients';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox({ allowance: 3 });
});
afterEach(async () => {
	await sandbox.close();
});

async function arm(rule: unknown) {
	const body = typeof rule === 'string' ? rule : JSON.stringify(rule);
	return await send(`${sandbox.url}/sandbox/faults`, { method: 'POST', body });
}

it('says on the page and in the control API that no AI model runs here', async () => {
	const page = await send(`${sandbox.url}/`);
	expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
	expect(page.body.toString()).toContain('No AI model runs here');
	const info = (await send(`${sandbox.url}/sandbox`)).json();
	expect(info['sandbox']).toContain('No AI model runs here');
	expect(info['faults']).toHaveLength(Object.keys(faults).length);
});

it('shows the same ledger and account over HTTP as in the process', async () => {
	await sendJson(sandbox.url, 'text2img', { text: 'x' });
	const get = async (what: string) =>
		JSON.parse((await send(`${sandbox.url}/sandbox/${what}`)).body.toString()) as unknown;
	expect(await get('ledger')).toEqual(sandbox.ledger);
	expect(await get('account')).toEqual({
		month: new Date().toISOString().slice(0, 7),
		allowance: 3,
		allowanceLeft: 2,
		walletCentsLeft: 1000,
		prices: { standard: 5, hd: 8, genius: 12, super_genius: 25, 'background-remover': 5 },
	});
});

it('removes the key from requests shown over HTTP', async () => {
	await sendJson(sandbox.url, 'text2img', { text: 'x' });
	const shown = await send(`${sandbox.url}/sandbox/requests`);
	const headers = { ...sandbox.requests[0]?.headers, 'api-key': '***' };
	expect(JSON.parse(shown.body.toString())).toEqual([{ ...sandbox.requests[0], headers }]);
	expect(sandbox.requests[0]?.headers['api-key']).toBe('test-key');
});

it('arms faults over HTTP, even for "always", and disarms them', async () => {
	expect((await arm({ fault: 'status', status: 418, times: 'always' })).status).toBe(201);
	for (let call = 0; call < 3; call++) {
		expect((await sendJson(sandbox.url, 'text2img', { text: 'x' })).status).toBe(418);
	}
	const disarmed = await send(`${sandbox.url}/sandbox/faults`, { method: 'DELETE' });
	expect(disarmed.status).toBe(204);
	expect((await sendJson(sandbox.url, 'text2img', { text: 'x' })).status).toBe(200);
});

it.each([
	['nonsense', /JSON/],
	[[], /^fault is missing/],
	[{ fault: 7 }, /^fault must be a string, not 7\.$/],
	[{ fault: 'nope' }, /^There is no fault "nope"\. Available faults: status, /],
	[{ fault: 'html', on: 'text2img' }, /^The fault html applies to a download, not to text2img\.$/],
	[{ fault: 'no-id', on: 'download' }, /^The fault no-id applies to a tool, not to download\.$/],
	[{ fault: 'status', wen: 'fox' }, /^A fault rule has no field "wen"/],
	[{ fault: 'status', times: 'often' }, /^times must be a number, not "often"\.$/],
	[{ fault: 'status', on: 'tool' }, /^on is "tool"; it must be one of /],
	[{ fault: 'status', times: 0 }, /^times is 0; it must be an integer of at least 1\.$/],
	[{ fault: 'status', status: 99 }, /^status is 99; it must be an integer from 200 to 599\.$/],
	[
		{ fault: 'delay', delayMs: -5 },
		/^delayMs is -5; it must be an integer from 0 to 2147483647\.$/,
	],
	[{ fault: 'truncated', bytes: -1 }, /^bytes is -1; it must be an integer of at least 0\.$/],
])('refuses the fault rule %j and says why', async (rule, message) => {
	const result = await arm(rule);
	expect([result.status, result.message()]).toEqual([400, expect.stringMatching(message)]);
});

it('the README lists every fault, option and route', async () => {
	const readme = readFileSync(join(__dirname, '../../sandbox/README.md'), 'utf8').replace(
		/ +/g,
		' ',
	);
	const rows = Object.entries(faults).flatMap(([name, { description }]) => [
		`| \`${name}\` |`,
		description,
	]);
	const types = readFileSync(join(__dirname, '../../sandbox/types.ts'), 'utf8');
	const [, fields = ''] = /interface SandboxOptions \{(.+?)\n\}/s.exec(types) ?? [];
	const options = [...fields.matchAll(/^\t(\w+)\?:/gm)].map(([, name = '']) => `| \`${name}\` |`);
	const { routes } = (await send(`${sandbox.url}/sandbox`)).json() as { routes: object };
	const named = Object.keys(routes).map((route) => `\`${route}\``);

	expect([rows, options, named].map(({ length }) => length > 5)).toEqual([true, true, true]);
	expect([...rows, ...options, ...named].filter((text) => !readme.includes(text))).toEqual([]);
});
