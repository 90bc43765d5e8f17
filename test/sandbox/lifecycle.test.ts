import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { startSandbox } from '../../sandbox';
import { until } from '../support/until';
import { failure, sendJson } from './clients';
import { useSandboxes } from './useSandbox';

const start = useSandboxes();
const foldersNow = () => readdirSync(tmpdir()).filter((name) => name.startsWith('image-sandbox-'));

/** Starts an upload and sends the first byte of its file. */
function startUpload(url: string) {
	const headers = {
		'content-type': 'multipart/form-data; boundary=b',
		'content-length': 10_000_000,
		'api-key': 'test-key',
	};
	const upload = request(`${url}/api/background-remover`, { method: 'POST', headers });
	upload.on('error', () => undefined);
	upload.write(
		'--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n' +
			'content-type: image/png\r\n\r\nx',
	);
	return upload;
}

it('the progress of an upload is recorded, and no status or charge if it is cut', async () => {
	const { sandbox } = await start();
	const upload = startUpload(sandbox.url);
	await until(() => sandbox.requests[0]?.files[0]?.bytes === 1);
	upload.write(Buffer.alloc(500_000));
	await until(() => (sandbox.requests[0]?.bytesReceived ?? 0) > 400_000);
	expect(sandbox.requests[0]).toMatchObject({
		status: null,
		isOver: false,
		files: [{ sha256: '' }],
	});
	upload.destroy();
	await until(() => sandbox.requests[0]?.isOver === true);
	expect([sandbox.requests[0]?.status, sandbox.ledger]).toStrictEqual([null, []]);
});

it('a client that disconnects after the charge has paid', async () => {
	const { sandbox, json } = await start({ delayMs: 60_000 });
	const client = new AbortController();
	const failed = failure(json('text2img', { text: 'x' }, { signal: client.signal }));
	await until(() => sandbox.ledger.length === 1);
	client.abort();
	expect(await failed).toBe('AbortError');
	expect(sandbox.requests[0]?.status).toBeNull();
});

it('other calls are served while images are fetched from a server that does not respond', async () => {
	const [{ sandbox, json }, { sandbox: silent }] = [await start(), await start()];
	silent.arm({ fault: 'download-hang', times: Infinity });
	const image = `${silent.url}/job-view-file/x/output.png`;
	const { signal, abort } = withAbort();
	const fetching = async () => await failure(json('background-remover', { image }, { signal }));
	const waiting = Array.from({ length: 20 }, fetching);
	await until(() => silent.requests.length === 20);
	expect((await json('text2img', { text: 'x' })).status).toBe(200);
	abort();
	expect(new Set(await Promise.all(waiting))).toStrictEqual(new Set(['AbortError']));
	expect(sandbox.ledger).toHaveLength(1);
});

it('close cuts connections, frees the port and removes the files; it can be called again', async () => {
	const before = foldersNow();
	const sandbox = await startSandbox({ delayMs: 60_000 });
	const [folder = ''] = foldersNow().filter((name) => !before.includes(name));
	const port = Number(new URL(sandbox.url).port);
	sandbox.arm({ fault: 'hang' });
	const hanging = failure(sendJson(sandbox.url, 'text2img', { text: 'x' }));
	await until(() => sandbox.requests.length === 1);
	const delayed = failure(sendJson(sandbox.url, 'text2img', { text: 'x' }));
	await until(() => sandbox.ledger.length === 1);
	await Promise.all([sandbox.close(), sandbox.close()]);
	await sandbox.close();
	expect([await hanging, await delayed].join()).toMatch(/^(SOCKET|ECONNRESET|UND_ERR_SOCKET|,)+$/);
	expect(existsSync(`${tmpdir()}/${folder}`)).toBe(false);
	expect((await start({ port })).sandbox.url).toBe(sandbox.url);
});

function withAbort() {
	const controller = new AbortController();
	return { signal: controller.signal, abort: () => controller.abort() };
}
