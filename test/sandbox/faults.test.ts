import { startSandbox, type FaultName, type FaultRule, type Sandbox } from '../../sandbox';
import { faults } from '../../sandbox/faults/table';
import { until } from '../support/until';
import { clients, failure, send, sendJson, type Answer } from './clients';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => {
	sandbox.disarm();
});
afterAll(async () => {
	await sandbox.close();
});

const small = { text: 'x', width: '128', height: '128' };

async function post(text = 'x', signal?: AbortSignal): Promise<Answer> {
	return await send(`${sandbox.url}/api/text2img`, {
		method: 'POST',
		body: new URLSearchParams({ ...small, text }),
		headers: { 'api-key': 'test-key' },
		...(signal ? { signal } : {}),
	});
}

/** Aborts a request once the sandbox has received part of it. */
async function leave(call: (signal: AbortSignal) => Promise<unknown>): Promise<string> {
	const client = new AbortController();
	const before = sandbox.requests.length;
	const failed = failure(call(client.signal));
	await until(() => sandbox.requests.length > before);
	const struck = sandbox.requests.length - 1;
	await until(() => (sandbox.requests[struck]?.bytesReceived ?? 0) > 0);
	client.abort();
	return await failed;
}

const tested = new Set<string>();

/** Arms a fault, makes one call, and returns its result and how many charges it caused. */
async function struck<Result>(
	rule: FaultRule,
	call: () => Promise<Result>,
): Promise<{ result: Result; charged: number }> {
	tested.add(rule.fault);
	const before = sandbox.ledger.length;
	sandbox.arm(rule);
	const result = await call();
	return { result, charged: sandbox.ledger.length - before };
}

type Expected = [status: number, body: unknown];

describe('a fault that responds instead of the tool charges nothing', () => {
	const err = 'A fault was armed for this request.';
	const json: [FaultName, Partial<FaultRule>, ...Expected][] = [
		['status', {}, 500, { err }],
		['status', { status: 418, body: { err: 'teapot' } }, 418, { err: 'teapot' }],
		['status-in-status', {}, 400, { status: err }],
		['status-in-status', { status: 401, body: 'no' }, 401, { status: 'no' }],
		['err-and-status', {}, 400, { err, status: 'failed' }],
		['err-object', {}, 400, { err: { message: err, code: 17 } }],
		['5xx-before', {}, 503, { err }],
		['rate-limit', {}, 429, { err: 'Too many requests.' }],
		['null-200', {}, 200, null],
		['array-200', {}, 200, []],
		['string-200', {}, 200, 'done'],
		['err-in-200', {}, 200, { err }],
		['status-in-200', {}, 200, { status: err }],
	];
	it.each(json)('%s %j: %i %j', async (fault, rule, status, body) => {
		const { result, charged } = await struck({ fault, ...rule }, post);
		expect([result.status, JSON.parse(result.body.toString())]).toEqual([status, body]);
		expect([charged, sandbox.requests.at(-1)?.status]).toEqual([0, status]);
	});

	const other: [FaultName, number, string, RegExp][] = [
		['error-text', 500, 'text/plain', /^A fault/],
		['error-html', 502, 'text/html', /<h1>502 Bad Gateway</],
		['error-empty', 500, '', /^$/],
		['html-200', 200, 'text/html; charset=utf-8', /<h1>/],
		['empty-200', 200, '', /^$/],
		['no-content', 204, '', /^$/],
	];
	it.each(other)('%s: %i %s', async (fault, status, type, body) => {
		const { result, charged } = await struck({ fault }, post);
		expect([result.status, result.headers['content-type'] ?? '']).toEqual([status, type]);
		expect(result.body.toString()).toMatch(body);
		expect(charged).toBe(0);
	});

	it('error-huge: 5 MiB of err', async () => {
		const { result } = await struck({ fault: 'error-huge' }, post);
		expect(result.message()).toHaveLength(5 * 1024 * 1024);
	});

	it.each(['7', 'Wed, 21 Oct 2026 07:28:00 GMT', '0'])('rate-limit: Retry-After %s', async (at) => {
		const { result } = await struck({ fault: 'rate-limit', retryAfter: at }, post);
		expect(result.headers['retry-after']).toBe(at);
	});

	it('rate-limit: sends Retry-After 1 by default, and none if it is empty', async () => {
		const { result: plain } = await struck({ fault: 'rate-limit' }, post);
		expect(plain.headers['retry-after']).toBe('1');
		const { result: none } = await struck({ fault: 'rate-limit', retryAfter: '' }, post);
		expect(none.headers).not.toHaveProperty('retry-after');
	});

	it.each([undefined, 301, 307, 308])(
		'redirect: redirects with status %s to the location',
		async (status) => {
			const location = 'http://example.invalid/elsewhere';
			const rule = { fault: 'redirect' as const, location, ...(status ? { status } : {}) };
			const { result, charged } = await struck(rule, post);
			expect([result.status, result.headers['location']]).toEqual([status ?? 302, location]);
			expect(charged).toBe(0);
		},
	);

	it('redirect: redirects to the same path by default', async () => {
		const { result } = await struck({ fault: 'redirect' }, post);
		expect(result.headers['location']).toBe(`${sandbox.url}/api/text2img?redirected=1`);
	});

	it('adds headers to the response', async () => {
		const headers = { 'X-Request-Id': 'abc', 'Content-Type': 'text/plain' };
		const { result } = await struck({ fault: 'status', headers }, post);
		expect(result.headers).toMatchObject({ 'x-request-id': 'abc', 'content-type': 'text/plain' });
	});
});

describe('a fault that cuts the connection before the charge', () => {
	it.each(['refuse', 'reset-before', 'close-before', 'reset-upload'] as const)(
		'%s: sends no response and charges nothing',
		async (fault) => {
			const { result, charged } = await struck({ fault }, async () => await failure(post()));
			expect(result).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
			expect([charged, sandbox.requests.at(-1)?.status]).toEqual([0, null]);
			// A late charge would be in the ledger before that of the next call.
			const before = sandbox.ledger.length;
			await post();
			expect(sandbox.ledger.length - before).toBe(1);
		},
	);

	it('no-http: sends bytes that are not HTTP', async () => {
		const { result } = await struck({ fault: 'no-http' }, async () => await failure(post()));
		expect(result).toMatch(/HPE_|HTTPParserError/);
	});

	it('reset-upload: cuts a large upload', async () => {
		const files = { image: { bytes: Buffer.alloc(30_000_000) } };
		const call = async () =>
			await failure(clients.undici({ url: sandbox.url, tool: 'background-remover', files }));
		const { result } = await struck({ fault: 'reset-upload', bytes: 100_000 }, call);
		expect(result).toMatch(/ECONNRESET|EPIPE|UND_ERR_SOCKET/);
		const received = sandbox.requests.at(-1)?.bytesReceived ?? 0;
		expect(received).toBeGreaterThanOrEqual(100_000);
		expect(received).toBeLessThan(30_000_000);
	});

	it('answer-mid-upload: responds while the body is still arriving', async () => {
		const files = { image: { bytes: Buffer.alloc(30_000_000) } };
		const call = async () =>
			await clients['form-data']({ url: sandbox.url, tool: 'background-remover', files }).catch(
				(error: unknown) => error,
			);
		const { charged } = await struck({ fault: 'answer-mid-upload' }, call);
		const entry = sandbox.requests.at(-1);
		expect([charged, entry?.status]).toEqual([0, 413]);
		expect(entry?.bytesReceived).toBeLessThan(30_000_000);
	});

	it('hang: never responds, and charges nothing when the client disconnects', async () => {
		const call = async () => await leave(async (signal) => await post('x', signal));
		const { result, charged } = await struck({ fault: 'hang' }, call);
		expect([result, charged, sandbox.requests.at(-1)?.status]).toEqual(['AbortError', 0, null]);
	});

	it('delay: waits, then serves the request', async () => {
		const { result, charged } = await struck({ fault: 'delay', delayMs: 80 }, async () => {
			const start = performance.now();
			const { status } = await post();
			return { status, slow: performance.now() - start >= 79 };
		});
		expect([result, charged]).toEqual([{ status: 200, slow: true }, 1]);
	});
});

describe('a fault after the charge leaves the job in the ledger', () => {
	it.each(['reset-after', 'close-after', 'cut-json'] as const)('%s', async (fault) => {
		const { result, charged } = await struck({ fault }, async () => await failure(post()));
		expect(result).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
		expect(charged).toBe(1);
		const { outputUrl, jobId } = sandbox.ledger.at(-1) ?? { outputUrl: '', jobId: '' };
		expect((await send(outputUrl)).body.equals(await sandbox.output(jobId))).toBe(true);
	});

	it.each(['timeout-after', 'stall-json'] as const)('%s', async (fault) => {
		const before = sandbox.ledger.length;
		const client = new AbortController();
		tested.add(fault);
		sandbox.arm({ fault });
		const failed = failure(post('x', client.signal));
		await until(() => sandbox.ledger.length > before);
		client.abort();
		expect(await failed).toBe('AbortError');
	});

	it('5xx-after: responds with 500 and err', async () => {
		const { result, charged } = await struck({ fault: '5xx-after' }, post);
		expect([result.status, result.message(), charged]).toEqual([
			500,
			'A fault was armed for this request, after it was charged.',
			1,
		]);
	});

	it('delay-after: delays the result', async () => {
		const { result, charged } = await struck({ fault: 'delay-after', delayMs: 5 }, post);
		expect([result.status, charged]).toEqual([200, 1]);
	});

	const url = /^http:\/\/127\.0\.0\.1:\d+\/job-view-file\/[^/]+\/outputs\/output\.jpg$/;
	const results: [FaultName, number, Record<string, unknown>][] = [
		['created-201', 201, { id: expect.any(String), output_url: expect.stringMatching(url) }],
		['no-output-url', 200, { id: expect.any(String) }],
		['no-id', 200, { output_url: expect.stringMatching(url) }],
		['number-id', 200, { id: 42, output_url: expect.stringMatching(url) }],
		['null-output-url', 200, { id: expect.any(String), output_url: null }],
		['bad-output-url', 200, { id: expect.any(String), output_url: 'file:///etc/passwd' }],
		[
			'relative-output-url',
			200,
			{ id: expect.any(String), output_url: expect.stringMatching(/^\/job-view-file\//) },
		],
		[
			'gone-output-url',
			200,
			{
				id: expect.any(String),
				output_url: expect.stringMatching(/\/gone\/outputs\/output\.jpg$/),
			},
		],
		[
			'other-host-output-url',
			200,
			{ id: expect.any(String), output_url: expect.stringMatching(/^http:\/\/localhost:\d+\//) },
		],
		[
			'extra-fields',
			200,
			{
				id: expect.any(String),
				output_url: expect.stringMatching(url),
				backend_request_id: 'b7f1',
				usage: { generations: 1 },
				tags: ['a', 'b'],
			},
		],
		['result-as-text', 200, { id: expect.any(String), output_url: expect.stringMatching(url) }],
	];
	it.each(results)('%s: %i', async (fault, status, body) => {
		const { result, charged } = await struck({ fault }, post);
		expect([result.status, result.json(), charged]).toEqual([status, body, 1]);
	});

	it('other-host-output-url and bad-output-url use the location of the rule', async () => {
		const other = 'http://127.0.0.1:9';
		const { result } = await struck({ fault: 'other-host-output-url', location: other }, post);
		expect(result.json()['output_url']).toMatch(/^http:\/\/127\.0\.0\.1:9\/job-view-file\//);
		const location = 'javascript:alert(1)';
		const { result: bad } = await struck({ fault: 'bad-output-url', location }, post);
		expect(bad.json()['output_url']).toBe(location);
	});

	it('result-as-text has the type text/plain; gone-output-url leads to a 404', async () => {
		const { result } = await struck({ fault: 'result-as-text' }, post);
		expect(result.headers['content-type']).toBe('text/plain');
		const { result: gone } = await struck({ fault: 'gone-output-url' }, post);
		expect((await send(String(gone.json()['output_url']))).status).toBe(404);
	});

	it('huge-json-200 sends 5 MiB; truncated-json sends invalid JSON', async () => {
		const { result: huge } = await struck({ fault: 'huge-json-200' }, post);
		expect(huge.body.length).toBeGreaterThan(5 * 1024 * 1024);
		const { result: broken, charged } = await struck({ fault: 'truncated-json' }, post);
		expect(() => broken.json()).toThrow(SyntaxError);
		expect(charged).toBe(1);
	});

	it('waits for a call that is charged; a refused one does not use it up', async () => {
		sandbox.arm({ fault: '5xx-after' });
		expect((await sendJson(sandbox.url, 'text2img', {})).status).toBe(400);
		expect((await post()).status).toBe(500);
		expect((await post()).status).toBe(200);
	});
});

describe('a download fault', () => {
	let file: string;
	let bytes: Buffer;
	beforeAll(async () => {
		file = String((await post()).json()['output_url']);
		bytes = Buffer.from((await send(file)).body);
	});
	const get = async (signal?: AbortSignal) => await send(file, signal ? { signal } : {});

	const answers: [FaultName, number, string | undefined, 'image' | RegExp][] = [
		['download-404', 404, 'application/json; charset=utf-8', /This file is gone/],
		['download-500', 500, 'application/json; charset=utf-8', /Storage is down/],
		['download-rate-limit', 429, undefined, /^$/],
		['empty', 200, 'image/jpeg', /^$/],
		['html', 200, 'text/html; charset=utf-8', /<h1>/],
		['json-200', 200, 'application/json; charset=utf-8', /expired/],
		['wrong-type', 200, 'text/plain', 'image'],
		['no-type', 200, undefined, 'image'],
		['octet-stream', 200, 'application/octet-stream', 'image'],
		['type-with-parameters', 200, 'IMAGE/JPEG; charset=binary', 'image'],
		['text-as-png', 200, 'image/png', /not an image/],
		['bad-file-name', 200, 'image/jpeg', 'image'],
		['chunked', 200, 'image/jpeg', 'image'],
		['gzip', 200, 'image/jpeg', 'image'],
		['slow-drip', 200, 'image/jpeg', 'image'],
		['late-body', 200, 'image/jpeg', 'image'],
	];
	it.each(answers)('%s: %i %s', async (fault, status, type, body) => {
		const { result } = await struck(
			{ fault, ...(fault === 'slow-drip' ? { delayMs: 2 } : {}) },
			get,
		);
		expect([result.status, result.headers['content-type']]).toEqual([status, type]);
		const holds = body === 'image' ? result.body.equals(bytes) : body.test(result.body.toString());
		expect(holds).toBe(true);
		expect((await get()).body.equals(bytes)).toBe(true);
	});

	it('sets Retry-After, disposition and encoding, or leaves out the length', async () => {
		const headersOf = async (fault: FaultName) => (await struck({ fault }, get)).result.headers;
		expect(await headersOf('download-rate-limit')).toMatchObject({ 'retry-after': '1' });
		expect((await headersOf('bad-file-name'))['content-disposition']).toContain('../../evil.sh');
		expect(await headersOf('gzip')).toMatchObject({ 'content-encoding': 'gzip' });
		expect(await headersOf('chunked')).not.toHaveProperty('content-length');
	});

	it.each(['truncated', 'reset-mid'] as const)(
		'%s: cuts the connection after a part',
		async (fault) => {
			const { result } = await struck({ fault }, async () => await failure(get()));
			expect(result).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
			expect(sandbox.requests.at(-1)?.status).toBe(200);
		},
	);

	it('download-refuse: resets the connection without a response', async () => {
		const { result } = await struck({ fault: 'download-refuse' }, async () => await failure(get()));
		expect(result).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
		expect(sandbox.requests.at(-1)?.status).toBeNull();
	});

	it.each(['download-hang', 'download-stall'] as const)('%s: never ends', async (fault) => {
		tested.add(fault);
		sandbox.arm({ fault });
		const before = sandbox.requests.length;
		const client = new AbortController();
		const failed = failure(get(client.signal));
		await until(() => sandbox.requests.length > before);
		client.abort();
		expect(await failed).toBe('AbortError');
	});

	it('download-redirect: redirects to the same file or to the location of the rule', async () => {
		const { result } = await struck({ fault: 'download-redirect' }, get);
		expect([result.status, result.headers['location']]).toEqual([302, `${file}?redirected=1`]);
		expect((await send(`${file}?redirected=1`)).body.equals(bytes)).toBe(true);
		const rule = {
			fault: 'download-redirect' as const,
			status: 307,
			location: 'http://a.invalid/',
		};
		const { result: away } = await struck(rule, get);
		expect([away.status, away.headers['location']]).toEqual([307, 'http://a.invalid/']);
	});

	it('redirect-loop: redirects endlessly', async () => {
		const call = async () => await failure(send(file, { redirect: 'follow' }));
		const { result } = await struck({ fault: 'redirect-loop' }, call);
		expect(result).toBe('Error');
		expect((await get()).status).toBe(302);
	});

	it('does not strike tools, while most tool faults can strike downloads', async () => {
		sandbox.arm({ fault: 'html' });
		expect((await post()).status).toBe(200);
		sandbox.disarm();
		sandbox.arm({ fault: 'status', on: 'download', status: 403 });
		expect((await post()).status).toBe(200);
		expect((await get()).status).toBe(403);
	});
});

describe('a rule', () => {
	it('respects times, after and the order of arming', async () => {
		sandbox.arm({ fault: 'status', status: 501, times: 2, after: 1 });
		sandbox.arm({ fault: 'status', status: 502 });
		const statuses = [];
		for (let call = 0; call < 5; call++) statuses.push((await post()).status);
		expect(statuses).toEqual([502, 501, 501, 200, 200]);
	});

	it('strikes until disarmed if times is Infinity', async () => {
		sandbox.arm({ fault: 'status', times: Infinity });
		for (let call = 0; call < 3; call++) expect((await post()).status).toBe(500);
		sandbox.disarm();
		expect((await post()).status).toBe(200);
	});

	it('strikes only the tool in on', async () => {
		sandbox.arm({ fault: 'status', on: 'image-editor' });
		expect((await post()).status).toBe(200);
		expect((await sendJson(sandbox.url, 'image-editor', {})).status).toBe(500);
	});

	it('matches when against prompt, file name, image URL and download path', async () => {
		sandbox.arm({ fault: 'status', when: 'fox' });
		sandbox.arm({ fault: 'status', status: 501, when: 'cat.png' });
		sandbox.arm({ fault: 'refuse', when: 'http://a.invalid' });
		expect((await post('a dog')).status).toBe(200);
		expect((await post('a fox')).status).toBe(500);
		const files = { image: { bytes: Buffer.from('x'), name: 'cat.png' } };
		const tool = 'background-remover';
		expect((await clients.undici({ url: sandbox.url, tool, files })).status).toBe(501);
		const image = 'http://a.invalid/x.png';
		expect(await failure(sendJson(sandbox.url, tool, { image }))).toMatch(/ECONNRESET|SOCKET/);
		const url = String((await post()).json()['output_url']);
		sandbox.arm({ fault: 'download-404', when: new URL(url).pathname });
		const other = String((await post()).json()['output_url']);
		expect([(await send(other)).status, (await send(url)).status]).toEqual([200, 404]);
	});
});

it('tests every fault', () => {
	expect(Object.keys(faults).filter((name) => !tested.has(name))).toEqual([]);
	expect(tested.size).toBeGreaterThanOrEqual(60);
});
