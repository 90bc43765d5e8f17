import type { FaultName, FaultRule } from '../../sandbox';
import { faults } from '../../sandbox/faults/table';
import { until } from '../support/until';
import { failure, fileOf, send, type Answer } from './clients';
import { useSandbox } from './useSandbox';

const service = useSandbox();
afterEach(() => {
	service.sandbox.disarm();
});

const CUT = /ECONNRESET|EPIPE|UND_ERR_SOCKET/;
const small = { width: '128', height: '128' };
const post = async (text = 'x', signal?: AbortSignal) =>
	await service.json('text2img', { ...small, text }, signal && { signal });
const upload = async () => {
	const image = { bytes: Buffer.alloc(30_000_000) };
	return await service.form('background-remover', {}, { image });
};
const last = () => service.sandbox.requests.at(-1);
const charges = () => service.sandbox.ledger.length;

const tested = new Set<string>();

/** Arms a fault, makes one call, and returns its result and how many charges it caused. */
async function strike<Result>(rule: FaultRule, call: () => Promise<Result>) {
	tested.add(rule.fault);
	const before = charges();
	service.sandbox.arm(rule);
	const result = await call();
	return { result, charged: charges() - before };
}

const posted = async (fault: FaultName, rule: Partial<FaultRule> = {}) =>
	await strike({ fault, ...rule }, post);
const failed = async (rule: FaultRule, call: () => Promise<Answer>) =>
	await strike(rule, async () => await failure(call()));

/** Arms a fault, makes a call and aborts it at a moment. Returns why it failed. */
async function abandon(
	fault: FaultName,
	call: (signal: AbortSignal) => Promise<Answer>,
	moment: () => boolean,
) {
	tested.add(fault);
	service.sandbox.arm({ fault });
	const client = new AbortController();
	const reason = failure(call(client.signal));
	await until(moment);
	client.abort();
	return await reason;
}

describe('a fault that responds instead of the tool charges nothing', () => {
	const err = 'A fault was armed for this request.';
	const answers: [FaultName, Partial<FaultRule>, number, unknown][] = [
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
	it.each(answers)('%s %j: %i %j', async (fault, rule, status, body) => {
		const { result, charged } = await posted(fault, rule);
		expect([result.status, result.json(), charged]).toEqual([status, body, 0]);
		expect(last()?.status).toBe(status);
	});

	const others: [FaultName, number, string | undefined, RegExp][] = [
		['error-text', 500, 'text/plain', /^A fault/],
		['error-html', 502, 'text/html', /<h1>502 Bad Gateway</],
		['error-empty', 500, undefined, /^$/],
		['html-200', 200, 'text/html; charset=utf-8', /<h1>/],
		['empty-200', 200, undefined, /^$/],
		['no-content', 204, undefined, /^$/],
	];
	it.each(others)('%s: %i %s', async (fault, status, type, body) => {
		const { result, charged } = await posted(fault);
		expect([result.status, result.headers['content-type'], charged]).toEqual([status, type, 0]);
		expect(result.body.toString()).toMatch(body);
	});

	it.each([
		[undefined, '1'],
		['7', '7'],
		['Wed, 21 Oct 2026 07:28:00 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT'],
		['', undefined],
	])('rate-limit with retryAfter %j: Retry-After %s', async (retryAfter, sent) => {
		const { result } = await posted('rate-limit', {
			...(retryAfter !== undefined && { retryAfter }),
		});
		expect(result.headers['retry-after']).toBe(sent);
	});

	it.each([undefined, 301, 307, 308])('redirect with status %s', async (status) => {
		const location = 'http://example.invalid/elsewhere';
		const { result, charged } = await posted('redirect', { location, ...(status && { status }) });
		expect([result.status, charged]).toEqual([status ?? 302, 0]);
		expect(result.headers['location']).toBe(location);
	});

	it('error-huge: 5 MiB of err', async () => {
		const { result, charged } = await posted('error-huge');
		expect([result.status, result.message().length, charged]).toEqual([500, 5 * 1024 * 1024, 0]);
	});

	it('redirect: to the same path by default', async () => {
		const path = '/api/text2img?redirected=1';
		const { result } = await posted('redirect');
		expect(result.headers['location']).toBe(`${service.sandbox.url}${path}`);
	});

	it('adds headers to the response', async () => {
		const headers = { 'X-Request-Id': 'abc', 'Content-Type': 'text/plain' };
		const { result } = await posted('status', { headers });
		expect(result.headers).toMatchObject({ 'x-request-id': 'abc', 'content-type': 'text/plain' });
	});
});

describe('a fault before the charge', () => {
	it.each(['refuse', 'reset-before', 'close-before', 'reset-upload', 'no-http'] as const)(
		'%s: sends no response and charges nothing',
		async (fault) => {
			const { result, charged } = await failed({ fault }, post);
			expect(result).toMatch(fault === 'no-http' ? /HPE_|HTTPParserError/ : CUT);
			expect([charged, last()?.status]).toEqual([0, null]);
			// A late charge would be in the ledger before that of the next call.
			const before = charges();
			await post();
			expect(charges() - before).toBe(1);
		},
	);

	it('reset-upload: cuts a large upload', async () => {
		const { result } = await failed({ fault: 'reset-upload', bytes: 100_000 }, upload);
		expect(result).toMatch(CUT);
		expect(last()?.bytesReceived).toBeGreaterThanOrEqual(100_000);
		expect(last()?.bytesReceived).toBeLessThan(30_000_000);
	});

	it('answer-mid-upload: responds while the body is still arriving', async () => {
		const { charged } = await failed({ fault: 'answer-mid-upload' }, upload);
		expect([charged, last()?.status]).toEqual([0, 413]);
		expect(last()?.bytesReceived).toBeLessThan(30_000_000);
	});

	it('hang: never responds, and charges nothing when the client disconnects', async () => {
		const [requests, before] = [service.sandbox.requests.length, charges()];
		const received = () => service.sandbox.requests[requests]?.bytesReceived ?? 0;
		const reason = await abandon(
			'hang',
			async (signal) => await post('x', signal),
			() => received() > 0,
		);
		expect([reason, last()?.status, charges()]).toEqual(['AbortError', null, before]);
	});

	it('delay: waits, then serves the request', async () => {
		const start = performance.now();
		const { result, charged } = await posted('delay', { delayMs: 80 });
		expect(performance.now() - start).toBeGreaterThan(79);
		expect([result.status, charged]).toEqual([200, 1]);
	});
});

describe('a fault after the charge leaves the job in the ledger', () => {
	it.each(['reset-after', 'close-after', 'cut-json'] as const)('%s', async (fault) => {
		const { result, charged } = await failed({ fault }, post);
		expect(result).toMatch(CUT);
		expect(charged).toBe(1);
		const { outputUrl = '', jobId = '' } = service.sandbox.ledger.at(-1) ?? {};
		expect((await send(outputUrl)).body).toEqual(await service.sandbox.output(jobId));
	});

	it.each(['timeout-after', 'stall-json'] as const)('%s', async (fault) => {
		const before = charges();
		const isCharged = () => charges() > before;
		const reason = await abandon(fault, async (signal) => await post('x', signal), isCharged);
		expect(reason).toBe('AbortError');
	});

	const id = expect.any(String) as unknown;
	const matching = (pattern: RegExp) => expect.stringMatching(pattern) as unknown;
	const output_url = matching(
		/^http:\/\/127\.0\.0\.1:\d+\/job-view-file\/[^/]+\/outputs\/output\.jpg$/,
	);
	const results: [FaultName, Partial<FaultRule>, number, Record<string, unknown>][] = [
		['delay-after', { delayMs: 5 }, 200, { id, output_url }],
		['5xx-after', {}, 500, { err: 'A fault was armed for this request, after it was charged.' }],
		['created-201', {}, 201, { id, output_url }],
		['no-output-url', {}, 200, { id }],
		['no-id', {}, 200, { output_url }],
		['number-id', {}, 200, { id: 42, output_url }],
		['null-output-url', {}, 200, { id, output_url: null }],
		['bad-output-url', {}, 200, { id, output_url: 'file:///etc/passwd' }],
		['bad-output-url', { location: 'a:b' }, 200, { id, output_url: 'a:b' }],
		['relative-output-url', {}, 200, { id, output_url: matching(/^\/job-view-file\//) }],
		['gone-output-url', {}, 200, { id, output_url: matching(/\/gone\/outputs\/output\.jpg$/) }],
		['other-host-output-url', {}, 200, { id, output_url: matching(/^http:\/\/localhost:\d+\//) }],
		[
			'other-host-output-url',
			{ location: 'http://127.0.0.1:9' },
			200,
			{ id, output_url: matching(/^http:\/\/127\.0\.0\.1:9\/job-view-file\//) },
		],
		[
			'extra-fields',
			{},
			200,
			{ id, output_url, backend_request_id: 'b7f1', usage: { generations: 1 }, tags: ['a', 'b'] },
		],
		['result-as-text', {}, 200, { id, output_url }],
	];
	it.each(results)('%s %j: %i', async (fault, rule, status, body) => {
		const { result, charged } = await posted(fault, rule);
		expect([result.status, result.json(), charged]).toEqual([status, body, 1]);
		const type = fault === 'result-as-text' ? 'text/plain' : 'application/json; charset=utf-8';
		expect(result.headers['content-type']).toBe(type);
	});

	it('huge-json-200 sends 5 MiB; truncated-json sends invalid JSON', async () => {
		const { result: huge } = await posted('huge-json-200');
		expect(huge.body.length).toBeGreaterThan(5 * 1024 * 1024);
		const { result: broken, charged } = await posted('truncated-json');
		expect(() => broken.json()).toThrow(SyntaxError);
		expect(charged).toBe(1);
	});

	it('gone-output-url leads to a 404', async () => {
		const { result } = await posted('gone-output-url');
		expect((await fileOf(result)).status).toBe(404);
	});

	it('waits for a call that is charged; a refused one does not use it up', async () => {
		service.sandbox.arm({ fault: '5xx-after' });
		expect((await service.json('text2img', {})).status).toBe(400);
		expect((await post()).status).toBe(500);
		expect((await post()).status).toBe(200);
	});
});

describe('a download fault', () => {
	let file: string;
	let bytes: Buffer;
	beforeAll(async () => {
		file = (await post()).link();
		bytes = (await send(file)).body;
	});
	const get = async (signal?: AbortSignal) => await send(file, signal ? { signal } : {});

	const json = 'application/json; charset=utf-8';
	const answers: [FaultName, number, string | undefined, 'image' | RegExp][] = [
		['download-404', 404, json, /This file is gone/],
		['download-500', 500, json, /Storage is down/],
		['download-rate-limit', 429, undefined, /^$/],
		['empty', 200, 'image/jpeg', /^$/],
		['html', 200, 'text/html; charset=utf-8', /<h1>/],
		['json-200', 200, json, /expired/],
		['text-as-png', 200, 'image/png', /not an image/],
		['wrong-type', 200, 'text/plain', 'image'],
		['no-type', 200, undefined, 'image'],
		['octet-stream', 200, 'application/octet-stream', 'image'],
		['type-with-parameters', 200, 'IMAGE/JPEG; charset=binary', 'image'],
		['bad-file-name', 200, 'image/jpeg', 'image'],
		['chunked', 200, 'image/jpeg', 'image'],
		['gzip', 200, 'image/jpeg', 'image'],
		['slow-drip', 200, 'image/jpeg', 'image'],
		['late-body', 200, 'image/jpeg', 'image'],
	];
	it.each(answers)('%s: %i %s', async (fault, status, type, body) => {
		const { result } = await strike({ fault, ...(fault === 'slow-drip' && { delayMs: 2 }) }, get);
		expect([result.status, result.headers['content-type']]).toEqual([status, type]);
		const holds = body === 'image' ? result.body.equals(bytes) : body.test(result.body.toString());
		expect(holds).toBe(true);
		expect((await get()).body.equals(bytes)).toBe(true);
	});

	it('sets Retry-After, disposition and encoding, or leaves out the length', async () => {
		const headersOf = async (fault: FaultName) => (await strike({ fault }, get)).result.headers;
		expect(await headersOf('download-rate-limit')).toMatchObject({ 'retry-after': '1' });
		expect((await headersOf('bad-file-name'))['content-disposition']).toContain('../../evil.sh');
		expect(await headersOf('gzip')).toMatchObject({ 'content-encoding': 'gzip' });
		expect(await headersOf('chunked')).not.toHaveProperty('content-length');
	});

	it.each(['truncated', 'reset-mid', 'download-refuse'] as const)(
		'%s: cuts the connection',
		async (fault) => {
			const { result } = await failed({ fault }, get);
			expect(result).toMatch(CUT);
			expect(last()?.status).toBe(fault === 'download-refuse' ? null : 200);
		},
	);

	it.each(['download-hang', 'download-stall'] as const)('%s: never ends', async (fault) => {
		const before = service.sandbox.requests.length;
		const reason = await abandon(fault, get, () => service.sandbox.requests.length > before);
		expect(reason).toBe('AbortError');
	});

	it('download-redirect: redirects to the same file or to the location of the rule', async () => {
		const { result } = await strike({ fault: 'download-redirect' }, get);
		expect([result.status, result.headers['location']]).toEqual([302, `${file}?redirected=1`]);
		expect((await send(`${file}?redirected=1`)).body).toEqual(bytes);
		const location = 'http://a.invalid/';
		const rule = { fault: 'download-redirect', status: 307, location } as const;
		const { result: away } = await strike(rule, get);
		expect([away.status, away.headers['location']]).toEqual([307, location]);
	});

	it('redirect-loop: redirects endlessly', async () => {
		const follow = async () => await send(file, { redirect: 'follow' });
		expect((await failed({ fault: 'redirect-loop' }, follow)).result).toBe('Error');
		expect((await get()).status).toBe(302);
	});

	it('does not strike tools, while most tool faults can strike downloads', async () => {
		service.sandbox.arm({ fault: 'html' });
		expect((await post()).status).toBe(200);
		service.sandbox.disarm();
		service.sandbox.arm({ fault: 'status', on: 'download', status: 403 });
		expect((await post()).status).toBe(200);
		expect((await get()).status).toBe(403);
	});
});

describe('a rule', () => {
	it('respects times, after and the order of arming', async () => {
		service.sandbox.arm({ fault: 'status', status: 501, times: 2, after: 1 });
		service.sandbox.arm({ fault: 'status', status: 502 });
		const statuses = [];
		for (let call = 0; call < 5; call++) statuses.push((await post()).status);
		expect(statuses).toEqual([502, 501, 501, 200, 200]);
	});

	it('strikes only the tool in on', async () => {
		service.sandbox.arm({ fault: 'status', on: 'image-editor' });
		expect((await post()).status).toBe(200);
		expect((await service.json('image-editor', {})).status).toBe(500);
	});

	it('matches when against prompt, file name, image URL and download path', async () => {
		const tool = 'background-remover';
		service.sandbox.arm({ fault: 'status', when: 'fox' });
		service.sandbox.arm({ fault: 'status', status: 501, when: 'cat.png' });
		service.sandbox.arm({ fault: 'status', status: 502, when: 'http://a.invalid' });
		expect((await post('a dog')).status).toBe(200);
		expect((await post('a fox')).status).toBe(500);
		const image = { bytes: Buffer.from('x'), name: 'cat.png' };
		expect((await service.form(tool, {}, { image })).status).toBe(501);
		expect((await service.json(tool, { image: 'http://a.invalid/x.png' })).status).toBe(502);
		const [one, other] = [await post(), await post()];
		service.sandbox.arm({ fault: 'download-404', when: new URL(one.link()).pathname });
		expect([(await fileOf(other)).status, (await fileOf(one)).status]).toEqual([200, 404]);
	});
});

it('tests every fault', () => {
	expect(Object.keys(faults).filter((name) => !tested.has(name))).toEqual([]);
	expect(tested.size).toBeGreaterThanOrEqual(60);
});
