import SwaggerParser from '@apidevtools/swagger-parser';
import { startSandbox, type Sandbox } from '../../sandbox';
import { tools } from '../../sandbox/tools';
import { until } from '../support/until';
import { clients, failure, fileOf, send, sendJson } from './clients';
import { disc } from './pictures';

let sandbox: Sandbox;
let lines: string[];
beforeEach(async () => {
	lines = [];
	sandbox = await startSandbox({ apiKey: ['a', 'b'], log: (line) => lines.push(line) });
});
afterEach(async () => {
	await sandbox.close();
});

/** Makes a call with a key and other headers. */
async function call(key: string, headers: Record<string, string> = {}, text = 'x') {
	const body = JSON.stringify({ text });
	const type = { 'content-type': 'application/json', 'api-key': key };
	const url = `${sandbox.url}/api/text2img`;
	return await send(url, { method: 'POST', body, headers: { ...type, ...headers } });
}

const control = async (method: string, path: string, body?: object) =>
	await send(`${sandbox.url}/sandbox/${path}`, {
		method,
		body: body ? JSON.stringify(body) : null,
	});

describe('GET /openapi.json', () => {
	it('is a valid OpenAPI document and not a call', async () => {
		const document = (await send(`${sandbox.url}/openapi.json`)).json();
		await SwaggerParser.validate(structuredClone(document) as never);
		expect(document).toMatchObject({ openapi: '3.0.3', servers: [{ url: sandbox.url }] });
		expect(sandbox.requests).toEqual([]);
	});

	it('declares the parameters, values and defaults of each tool', async () => {
		const { paths } = (await send(`${sandbox.url}/openapi.json`)).json();
		for (const { id, parameters } of tools) {
			const { post } = (paths as Record<string, { post: Operation }>)[`/api/${id}`] ?? {};
			const { schema } = post?.requestBody.content['multipart/form-data'] ?? {};
			expect(Object.keys(schema?.properties ?? {})).toEqual(parameters.map(({ name }) => name));
			expect(schema?.required).toEqual(
				parameters.filter(({ required }) => required).map(({ name }) => name),
			);
			for (const { name, values, default: fallback } of parameters) {
				expect(schema?.properties[name]).toMatchObject({
					...(values && { enum: values }),
					...(fallback !== undefined && { default: fallback }),
				});
			}
		}
	});

	interface Operation {
		requestBody: {
			content: Record<
				string,
				{ schema: { required: string[]; properties: Record<string, object> } }
			>;
		};
	}
});

describe('each of several keys', () => {
	it('has its own account and ledger', async () => {
		sandbox.forKey('b').account.useUp();
		expect([(await call('a')).status, (await call('b')).status]).toEqual([200, 402]);
		await control('POST', 'account/top-up?key=b', { cents: 5 });
		expect((await call('b')).status).toBe(200);
		expect(sandbox.ledger).toMatchObject([{ source: 'allowance' }]);
		expect((await control('GET', 'ledger?key=b')).body.toString()).toContain('"cents":5');
		expect((await control('GET', 'account')).json()).toMatchObject({ walletCentsLeft: 1000 });
	});

	it('has its own rate limit', async () => {
		await control('PUT', 'rate-limit?key=b', { calls: 1, seconds: 60 });
		const statuses = [];
		for (const key of ['b', 'b', 'a', 'a']) statuses.push((await call(key)).status);
		expect(statuses).toEqual([200, 429, 200, 200]);
	});

	it('has its own faults, also for downloads of its files', async () => {
		sandbox.forKey('b').arm({ fault: 'status', status: 418 });
		await control('POST', 'faults?key=b', { fault: 'download-404' });
		const [a, b] = [await call('a'), await call('b')];
		expect([a.status, b.status]).toEqual([200, 418]);
		expect((await fileOf(a)).status).toBe(200);
		expect((await fileOf(await call('b'))).status).toBe(404);
		expect(JSON.parse((await control('GET', 'faults?key=b')).body.toString())).toEqual([]);
	});

	it('is reset by itself', async () => {
		const [a, b] = [await call('a'), await call('b')];
		sandbox.arm({ fault: 'status' });
		await control('POST', 'reset?key=b');
		expect([sandbox.ledger.length, sandbox.forKey('b').ledger.length]).toEqual([1, 0]);
		expect([(await fileOf(a)).status, (await fileOf(b)).status]).toEqual([200, 404]);
		expect((await call('a')).status).toBe(500);
	});

	it('can list only its own calls and requests', async () => {
		await Promise.all(['a', 'b', 'b'].map(async (key) => await call(key)));
		for (const path of ['calls', 'requests']) {
			const listed = JSON.parse((await control('GET', `${path}?key=b`)).body.toString()) as unknown;
			expect(listed).toHaveLength(2);
		}
	});

	it('must be known', async () => {
		expect((await control('GET', 'account?key=c')).message()).toBe('There is no API key "c".');
		expect(() => sandbox.forKey('c')).toThrow('There is no API key "c"; apiKey does not list it.');
		await expect(startSandbox({ apiKey: ['a', 'a'] })).rejects.toThrow(
			'apiKey has "a" more than once.',
		);
		await expect(startSandbox({ apiKey: [] })).rejects.toThrow('apiKey is an empty list');
	});
});

describe('the header x-sandbox-fault', () => {
	it('strikes this one request, before the armed faults', async () => {
		sandbox.arm({ fault: 'status', status: 500 });
		const statuses = [];
		for (const fault of ['rate-limit', '{"fault":"status","status":418}']) {
			statuses.push((await call('a', { 'x-sandbox-fault': fault })).status);
		}
		statuses.push((await call('a')).status, (await call('a')).status);
		expect(statuses).toEqual([429, 418, 500, 200]);
		const cut = await failure(call('a', { 'x-sandbox-fault': 'reset-after' }));
		expect(cut).toMatch(/ECONNRESET|SOCKET/);
		expect(sandbox.ledger).toHaveLength(2);
		expect(await failure(call('a', { 'x-sandbox-fault': 'refuse' }))).toMatch(/ECONNRESET|SOCKET/);
	});

	it('strikes a download', async () => {
		const url = String((await call('a')).json()['output_url']);
		const headers = { 'x-sandbox-fault': 'wrong-type' };
		expect((await send(url, { headers })).headers['content-type']).toBe('text/plain');
		expect((await send(url)).headers['content-type']).toBe('image/jpeg');
	});

	it.each([
		['nope', /^x-sandbox-fault: There is no fault "nope"/],
		['{"fault"', /^x-sandbox-fault: .*JSON/],
		[
			'truncated',
			/^x-sandbox-fault: The fault truncated applies to a download, not to text2img\.$/,
		],
		[
			'{"fault":"status","times":2}',
			/^x-sandbox-fault: it applies to this request only, so leave out times\.$/,
		],
	])('is refused if it is %s', async (fault, message) => {
		const answer = await call('a', { 'x-sandbox-fault': fault });
		expect([answer.status, answer.message()]).toEqual([400, expect.stringMatching(message)]);
		expect(sandbox.ledger).toEqual([]);
	});
});

it('logs a line per call once it is over, without control characters', async () => {
	await call('a', {}, 'a red \u009b31m fox');
	sandbox.account.useUp();
	sandbox.account.topUp(5);
	const files = { image: { bytes: await disc() } };
	await clients.undici({ url: sandbox.url, tool: 'background-remover', files, key: 'a' });
	await sendJson(sandbox.url, 'text2img', { text: 'x' });
	await failure(call('a', { 'x-sandbox-fault': 'reset-before' }));
	await send(`${sandbox.url}/sandbox/ledger`);
	await until(() => lines.length === 4);
	expect(lines).toEqual(
		[
			/^[\d:]{8} #1 text2img 200, "a red \\u\{9b\}31m fox", charged to the allowance, \d+ ms$/,
			/^[\d:]{8} #2 background-remover 200, charged 5 cents, \d+ ms$/,
			/^[\d:]{8} #3 text2img 401, "x", The api-key is not valid\., \d+ ms$/,
			/^[\d:]{8} #4 text2img no response, "x", fault reset-before, \d+ ms$/,
		].map((line) => expect.stringMatching(line) as unknown),
	);
});
