import { existsSync, readdirSync } from 'node:fs';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { startSandbox } from '../../sandbox';
import { until } from '../support/until';
import { failure, send, sendJson, sendRaw } from './clients';
import { disc } from './pictures';
import { useSandboxes } from './useSandbox';

const start = useSandboxes();
const foldersNow = () =>
	readdirSync(tmpdir()).filter(
		(name) => name.startsWith('image-sandbox-') && name.includes(`-${process.pid}-`),
	);

/** Starts an upload that the test continues by hand. */
function startUpload(url: string): ClientRequest {
	const request = httpRequest(`${url}/api/background-remover`, {
		method: 'POST',
		agent: false,
		headers: { 'api-key': 'test-key', 'content-type': 'multipart/form-data; boundary=b' },
	});
	request.on('error', () => {});
	request.write('--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\nx');
	return request;
}

describe('requests', () => {
	it('include refused calls, downloads and unknown paths, but not control requests', async () => {
		const { sandbox, json, get, control } = await start();
		await json('text2img', { width: '1' });
		for (const path of ['/job-view-file/x/output.jpg?a=1', '/favicon.ico', '/api/other']) {
			await get(path);
		}
		await control('GET', 'ledger');
		await send(`${sandbox.url}/v2/text2img`, { method: 'POST', body: 'x' });
		expect(
			sandbox.requests.map(({ method, path, status }) => [method, path, status]),
		).toStrictEqual([
			['POST', '/api/text2img', 400],
			['GET', '/job-view-file/x/output.jpg?a=1', 404],
			['GET', '/favicon.ico', 404],
			['GET', '/api/other', 404],
			['POST', '/v2/text2img', 404],
		]);
		// Only these are to a tool, or a POST to an unknown path.
		expect((await control('GET', 'calls')).json()).toMatchObject([
			{ number: 3, path: '/v2/text2img' },
			{ number: 2, path: '/api/other' },
			{ number: 1, path: '/api/text2img' },
		]);
	});

	it('never show a password of an image address, which is refused, or of the Base URL', async () => {
		const { sandbox, json, control } = await start();
		const image = 'http://ann:s3cret@example.org/a.png';
		expect((await json('background-remover', { image })).outcome()).toStrictEqual([
			400,
			'image is "http://***@example.org/a.png"; it must be an address without a user name or password.',
		]);
		const { host } = new URL(sandbox.url);
		const secrets = 'authorization: Basic s3cret\r\ncookie: s3cret\r\nconnection: close\r\n';
		await sendRaw(sandbox.url, `POST /api/other HTTP/1.1\r\nhost: ${host}\r\n${secrets}\r\n`);
		for (const path of ['calls', 'requests']) {
			const shown = (await control('GET', path)).body.toString();
			expect(shown).toContain('/api/other');
			expect(shown).not.toContain('s3cret');
		}
	});

	it('show the progress of an upload, and no status or file if it is cut', async () => {
		const before = foldersNow();
		const { sandbox, get } = await start();
		const [folder = ''] = foldersNow().filter((name) => !before.includes(name));
		const files = () => readdirSync(`${tmpdir()}/${folder}`);
		const upload = startUpload(sandbox.url);
		await until(() => sandbox.requests[0]?.files[0]?.bytes === 1 && files().length === 1);
		const first = sandbox.requests[0]?.bytesReceived ?? 0;
		upload.write(Buffer.alloc(500_000));
		await until(() => (sandbox.requests[0]?.bytesReceived ?? 0) > first + 400_000);
		expect(sandbox.requests[0]).toMatchObject({ status: null, files: [{ sha256: '' }] });
		upload.destroy();
		await until(() => files().length === 0);
		await get('/');
		expect([sandbox.requests[0]?.status, sandbox.ledger]).toStrictEqual([null, []]);
	});

	it('keep the charge if the client disconnects during the delay', async () => {
		const { sandbox, json } = await start({ delayMs: 60_000 });
		const client = new AbortController();
		const failed = failure(json('text2img', { text: 'x' }, { signal: client.signal }));
		await until(() => sandbox.ledger.length === 1);
		client.abort();
		expect(await failed).toBe('AbortError');
		expect(sandbox.requests[0]?.status).toBeNull();
	});

	it('and calls above keepRequests are dropped, but the files are kept', async () => {
		const { sandbox, json, control } = await start({ keepRequests: 2 });
		const made = await json('text2img', { text: 'x' });
		for (let call = 0; call < 5; call++) await json('text2img', {});
		expect((await send(made.link())).status).toBe(200);
		expect(sandbox.requests).toHaveLength(2);
		const calls = (await control('GET', 'calls')).json();
		expect(calls).toMatchObject([{ number: 6 }, { number: 5 }]);
	});

	it('are logged with a line per call once it is over, without control characters', async () => {
		const lines: string[] = [];
		const { sandbox, json, control } = await start({ log: (line) => lines.push(line) });
		await json('text2img', { text: 'a red \u009b31m fox' });
		sandbox.account.useUp();
		sandbox.account.topUp(5);
		await json('text2img', { text: 'x' });
		await json('text2img', { text: 'x' }, { headers: { 'api-key': 'wrong' } });
		sandbox.arm({ fault: 'reset-before' });
		await failure(json('text2img', { text: 'x' }));
		await control('GET', 'ledger');
		await until(() => lines.length === 4);
		expect(lines).toStrictEqual(
			[
				/^[\d:]{8} #1 text2img 200, "a red \\u\{9b\}31m fox", charged to the allowance, \d+ ms$/,
				/^[\d:]{8} #2 text2img 200, "x", charged 5 cents, \d+ ms$/,
				/^[\d:]{8} #3 text2img 401, "x", The api-key is not valid\., \d+ ms$/,
				/^[\d:]{8} #4 text2img no response, "x", fault reset-before, \d+ ms$/,
			].map((line) => expect.stringMatching(line) as unknown),
		);
	});
});

describe('other calls', () => {
	it('are served while 200 clients upload slowly', async () => {
		const { sandbox, form } = await start();
		const slow = Array.from({ length: 200 }, () => startUpload(sandbox.url));
		await until(() => sandbox.requests.filter(({ files }) => files[0]?.bytes === 1).length === 200);
		const image = { bytes: await disc() };
		for (const tool of ['text2img', 'background-remover', 'image-editor']) {
			for (const upload of slow) upload.write('x');
			const answer = await form(tool, { text: 'blur' }, tool === 'text2img' ? {} : { image });
			expect(answer.status).toBe(200);
		}
		expect(sandbox.requests.filter(({ status }) => status === null)).toHaveLength(200);
		for (const upload of slow) upload.destroy();
	});

	it('are served while images are fetched from a server that does not respond', async () => {
		const [{ sandbox, json }, { sandbox: silent }] = [await start(), await start()];
		silent.arm({ fault: 'download-hang', times: Infinity });
		const image = `${silent.url}/job-view-file/x/output.png`;
		const client = new AbortController();
		const { signal } = client;
		const fetching = async () => await failure(json('background-remover', { image }, { signal }));
		const waiting = Array.from({ length: 20 }, fetching);
		await until(() => silent.requests.length === 20);
		expect((await json('text2img', { text: 'x' })).status).toBe(200);
		client.abort();
		expect(new Set(await Promise.all(waiting))).toStrictEqual(new Set(['AbortError']));
		expect(sandbox.ledger).toHaveLength(1);
	});
});

describe('close', () => {
	it('cuts connections, frees the port and removes the files; can be called again', async () => {
		const before = foldersNow();
		const sandbox = await startSandbox({ delayMs: 60_000 });
		const [folder = ''] = foldersNow().filter((name) => !before.includes(name));
		const port = Number(new URL(sandbox.url).port);
		sandbox.arm({ fault: 'hang' });
		const hanging = failure(sendJson(sandbox.url, 'text2img', { text: 'x' }));
		await until(() => sandbox.requests.length === 1);
		const delayed = failure(sendJson(sandbox.url, 'text2img', { text: 'x' }));
		await until(() => sandbox.ledger.length === 1);
		const upload = startUpload(sandbox.url);
		await until(() => sandbox.requests.length === 3);
		await Promise.all([sandbox.close(), sandbox.close()]);
		await sandbox.close();
		expect(await hanging).toMatch(/SOCKET|ECONNRESET/);
		expect(await delayed).toMatch(/SOCKET|ECONNRESET/);
		upload.destroy();
		expect(existsSync(`${tmpdir()}/${folder}`)).toBe(false);
		expect((await start({ port })).sandbox.url).toBe(sandbox.url);
	});
});
