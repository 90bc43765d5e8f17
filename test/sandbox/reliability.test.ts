import { request, type ClientRequest } from 'node:http';
import { startSandbox, type Sandbox } from '../../sandbox';
import { until } from '../support/until';
import { clients, fileOf, send, sendJson } from './clients';
import { disc } from './pictures';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox();
});
afterEach(async () => {
	await sandbox.close();
});

/** An upload that has begun and will never be whole. */
function begin(): ClientRequest {
	const upload = request(`${sandbox.url}/api/background-remover`, {
		method: 'POST',
		agent: false,
		headers: { 'api-key': 'test-key', 'content-type': 'multipart/form-data; boundary=b' },
	});
	upload.on('error', () => {});
	upload.write('--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\nx');
	return upload;
}

it('serves everybody else while two hundred clients send a byte now and then', async () => {
	const slow = Array.from({ length: 200 }, begin);
	await until(() => sandbox.requests.filter(({ files }) => files[0]?.bytes === 1).length === 200);
	const image = { bytes: await disc() };
	for (const tool of ['text2img', 'background-remover', 'image-editor']) {
		for (const upload of slow) upload.write('x');
		const fields = { text: 'blur' };
		const call = { url: sandbox.url, tool, fields, files: tool === 'text2img' ? {} : { image } };
		expect((await fileOf(await clients.undici(call))).status).toBe(200);
	}
	expect(sandbox.requests.filter(({ status }) => status === null)).toHaveLength(200);
	for (const upload of slow) upload.destroy();
});

it('serves everybody else while an image is fetched from an address that says nothing', async () => {
	const silent = await startSandbox();
	try {
		silent.arm({ fault: 'download-hang', times: Infinity });
		const image = `${silent.url}/job-view-file/x/output.png`;
		const patience = new AbortController();
		const waiting = Array.from({ length: 20 }, async () => {
			const headers = { 'api-key': 'test-key', 'content-type': 'application/json' };
			const body = JSON.stringify({ image });
			const { signal } = patience;
			const url = `${sandbox.url}/api/background-remover`;
			return await send(url, { method: 'POST', headers, body, signal }).catch(() => 'left');
		});
		await until(() => silent.requests.length === 20);
		expect((await sendJson(sandbox.url, 'text2img', { text: 'x' })).status).toBe(200);
		patience.abort();
		expect(new Set(await Promise.all(waiting))).toEqual(new Set(['left']));
	} finally {
		await silent.close();
	}
});

it('answers each of many calls that come at once', async () => {
	const image = { bytes: await disc() };
	const answers = await Promise.all(
		Array.from({ length: 40 }, async (_, index) => {
			const tool = index % 2 === 0 ? 'image-editor' : 'text2img';
			const fields = { text: 'blur', width: '512', height: '512' };
			const files = index % 2 === 0 ? { image } : {};
			return await clients.undici({ url: sandbox.url, tool, fields, files });
		}),
	);
	expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
	expect(sandbox.ledger).toHaveLength(40);
});

it('forgets the downloads and calls that are no longer kept, and keeps the files', async () => {
	const bounded = await startSandbox({ keepRequests: 2 });
	try {
		const made = await sendJson(bounded.url, 'text2img', { text: 'x' });
		for (let call = 0; call < 5; call++) await sendJson(bounded.url, 'text2img', {});
		expect((await fileOf(made)).status).toBe(200);
		expect(bounded.requests).toHaveLength(2);
		const calls = await send(`${bounded.url}/sandbox/calls`);
		expect(JSON.parse(calls.body.toString())).toMatchObject([{ number: 6 }, { number: 5 }]);
	} finally {
		await bounded.close();
	}
});
