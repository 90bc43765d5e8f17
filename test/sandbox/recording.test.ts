import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox';
import { until } from '../support/until';
import { clients, failure, send, sendJson } from './clients';
import { disc } from './pictures';

const open: Sandbox[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map(async (sandbox) => await sandbox.close()));
});

async function start(...options: Parameters<typeof startSandbox>): Promise<Sandbox> {
	const sandbox = await startSandbox(...options);
	open.push(sandbox);
	return sandbox;
}

const folders = (pid = process.pid) =>
	readdirSync(tmpdir()).filter((name) => /^image-sandbox-\w+-(\d+)-/.exec(name)?.[1] === `${pid}`);

/** Starts an upload that the test continues by hand. */
function upload(url: string): { send(bytes: Buffer): void; request: ClientRequest } {
	const request = httpRequest(`${url}/api/background-remover`, {
		method: 'POST',
		agent: false,
		headers: { 'api-key': 'test-key', 'content-type': 'multipart/form-data; boundary=b' },
	});
	request.on('error', () => {});
	const head = '--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n';
	request.write(`${head}content-type: image/png\r\n\r\n`);
	return { request, send: (bytes) => request.write(bytes) };
}

describe('requests', () => {
	it('records fields, files and their order, with the hash of each file', async () => {
		const { url, requests } = await start();
		const bytes = await disc();
		for (const client of Object.values(clients)) {
			await client({
				url,
				tool: 'image-editor',
				fields: { text: 'blur', more: '1' },
				files: { image: { bytes, name: 'Föto 1.png' } },
			});
			expect(requests.at(-1)).toMatchObject({
				method: 'POST',
				path: '/api/image-editor',
				headers: { 'api-key': 'test-key' },
				fields: { text: 'blur', more: '1' },
				fieldOrder: ['text', 'more', 'image'],
				files: [
					{
						field: 'image',
						fileName: 'Föto 1.png',
						mimeType: 'image/png',
						bytes: bytes.length,
						sha256: createHash('sha256').update(bytes).digest('hex'),
					},
				],
				status: 200,
			});
			const { bytesReceived = 0, headers = {} } = requests.at(-1) ?? {};
			expect(bytesReceived).toBe(Number(headers['content-length'] ?? bytesReceived));
			expect(bytesReceived).toBeGreaterThan(bytes.length);
		}
	});

	it('includes refused calls, downloads and unknown paths, but not control requests', async () => {
		const { url, requests } = await start();
		await sendJson(url, 'text2img', { width: '1' });
		await send(`${url}/job-view-file/x/output.jpg?a=1`);
		await send(`${url}/sandbox/ledger`);
		await send(`${url}/v2/text2img`, { method: 'POST', body: 'x' });
		expect(requests.map(({ method, path, status }) => [method, path, status])).toEqual([
			['POST', '/api/text2img', 400],
			['GET', '/job-view-file/x/output.jpg?a=1', 404],
			['POST', '/v2/text2img', 404],
		]);
	});

	it('shows the progress of an upload, and no status if it is cut', async () => {
		const { url, requests, ledger } = await start();
		const sending = upload(url);
		sending.send(Buffer.alloc(1000));
		await until(() => (requests[0]?.files[0]?.bytes ?? 0) > 0);
		const first = requests[0]?.bytesReceived ?? 0;
		sending.send(Buffer.alloc(500_000));
		await until(() => (requests[0]?.bytesReceived ?? 0) > first + 400_000);
		expect(requests[0]).toMatchObject({ status: null, files: [{ sha256: '' }] });
		sending.request.destroy();
		await send(`${url}/`);
		expect([requests[0]?.status, ledger]).toEqual([null, []]);
	});

	it('removes the file of a cut upload', async () => {
		const before = folders();
		const { url, requests } = await start();
		const [folder = ''] = folders().filter((name) => !before.includes(name));
		const files = () => readdirSync(`${tmpdir()}/${folder}`);
		const sending = upload(url);
		sending.send(Buffer.alloc(1000));
		await until(() => (requests[0]?.files[0]?.bytes ?? 0) > 0 && files().length === 1);
		sending.request.destroy();
		await until(() => files().length === 0);
		expect(files()).toEqual([]);
	});

	it('keeps the charge if the client disconnects during the delay', async () => {
		const { url, ledger, requests } = await start({ delayMs: 60_000 });
		const client = new AbortController();
		const failed = failure(
			send(`${url}/api/text2img`, {
				method: 'POST',
				body: new URLSearchParams({ text: 'x' }),
				headers: { 'api-key': 'test-key' },
				signal: client.signal,
			}),
		);
		await until(() => ledger.length === 1);
		client.abort();
		expect(await failed).toBe('AbortError');
		expect(requests[0]?.status).toBeNull();
	});
});

describe('kept data', () => {
	it('is removed by the next start if the process was killed', async () => {
		const command = ['--import', './scripts/tsx.mjs', 'sandbox/cli.ts', '--port', '0'];
		const child = spawn(process.execPath, command, { cwd: join(__dirname, '../..') });
		let said = '';
		child.stdout.on('data', (chunk) => (said += String(chunk)));
		await until(() => said.includes('Press Ctrl+C'));
		const left = folders(child.pid);
		expect(left).toHaveLength(1);
		child.kill('SIGKILL');
		await once(child, 'exit');
		expect(folders(child.pid)).toEqual(left);
		const running = await start();
		expect(folders(child.pid)).toEqual([]);
		await start();
		expect((await sendJson(running.url, 'text2img', { text: 'x' })).status).toBe(200);
	});
});

describe('close', () => {
	it('cuts connections, frees the port and removes the files; can be called again', async () => {
		const before = folders();
		const sandbox = await startSandbox({ delayMs: 60_000 });
		const [folder = ''] = folders().filter((name) => !before.includes(name));
		const port = Number(new URL(sandbox.url).port);
		sandbox.arm({ fault: 'hang' });
		const hanging = failure(sendJson(sandbox.url, 'text2img', { text: 'x' }));
		await until(() => sandbox.requests.length === 1);
		const delayed = failure(sendJson(sandbox.url, 'text2img', { text: 'x' }));
		await until(() => sandbox.ledger.length === 1);
		const sending = upload(sandbox.url);
		await until(() => sandbox.requests.length === 3);
		await Promise.all([sandbox.close(), sandbox.close()]);
		await sandbox.close();
		expect([await hanging, await delayed]).toEqual([
			expect.stringMatching(/SOCKET|ECONNRESET/),
			expect.stringMatching(/SOCKET|ECONNRESET/),
		]);
		sending.request.destroy();
		expect(existsSync(`${tmpdir()}/${folder}`)).toBe(false);
		const again = await start({ port });
		expect(again.url).toBe(sandbox.url);
	});

	it('leaves no files if the port is in use', async () => {
		const { url } = await start();
		const before = folders().length;
		const taken = startSandbox({ port: Number(new URL(url).port) });
		await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' });
		expect(folders()).toHaveLength(before);
	});
});
