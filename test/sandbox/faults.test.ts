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
const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const post = async (signal?: AbortSignal) => await service.make({}, signal && { signal });
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

const failed = async (rule: FaultRule, call: () => Promise<Answer>) =>
	await strike(rule, async () => await failure(call()));

/** Arms a fault, makes a call, and aborts it at a moment. Returns why it failed. */
async function abandon(
	fault: FaultName,
	call: (signal: AbortSignal) => Promise<Answer>,
	moment: () => boolean,
) {
	const client = new AbortController();
	const { result } = await failed({ fault }, async () => {
		const answer = call(client.signal);
		void until(moment).then(() => client.abort());
		return await answer;
	});
	return result;
}

/** A fault, its status, its body as JSON or a pattern for its text, and its type. */
type Row = [rule: FaultRule, status: number, body: unknown, type?: string | null];

/** Expects a body, and a type or, if it is null, none. */
function expectBody(answer: Answer, expected: unknown, type?: string | null) {
	if (expected instanceof RegExp) expect(answer.body.toString()).toMatch(expected);
	else expect(answer.json()).toStrictEqual(expected);
	if (type !== undefined) expect(answer.headers['content-type'] ?? null).toBe(type);
}

describe('a fault that responds instead of the tool charges nothing', () => {
	const err = 'A fault was armed for this request.';
	it.each<Row>([
		[{ fault: 'status' }, 500, { err }],
		[{ fault: 'status', status: 418, body: { err: 'teapot' } }, 418, { err: 'teapot' }],
		[{ fault: 'status-in-status' }, 400, { status: err }],
		[{ fault: 'status-in-status', status: 401, body: 'no' }, 401, { status: 'no' }],
		[{ fault: 'err-and-status' }, 400, { err, status: 'failed' }],
		[{ fault: 'err-object' }, 400, { err: { message: err, code: 17 } }],
		[{ fault: '5xx-before' }, 503, { err }],
		[{ fault: 'null-200' }, 200, null],
		[{ fault: 'array-200' }, 200, []],
		[{ fault: 'string-200' }, 200, 'done'],
		[{ fault: 'err-in-200' }, 200, { err }],
		[{ fault: 'status-in-200' }, 200, { status: err }],
		[{ fault: 'error-text' }, 500, /^A fault/, 'text/plain'],
		[{ fault: 'error-html' }, 502, /<h1>502 Bad Gateway</, 'text/html'],
		[{ fault: 'error-empty' }, 500, /^$/, null],
		[{ fault: 'html-200' }, 200, /<h1>/, HTML_TYPE],
		[{ fault: 'empty-200' }, 200, /^$/, null],
		[{ fault: 'no-content' }, 204, /^$/, null],
	])('%j: %i %j', async (...[rule, status, body, type]) => {
		const { result, charged } = await strike(rule, post);
		expect([result.status, last()?.status, charged]).toStrictEqual([status, status, 0]);
		expectBody(result, body, type);
	});

	it.each<[FaultRule, number, Record<string, string | undefined>]>([
		[{ fault: 'rate-limit' }, 429, { 'retry-after': '1' }],
		[{ fault: 'rate-limit', retryAfter: '7' }, 429, { 'retry-after': '7' }],
		[{ fault: 'rate-limit', retryAfter: '' }, 429, { 'retry-after': undefined }],
		[{ fault: 'status', status: 429, retryAfter: '7' }, 429, { 'retry-after': '7' }],
		[{ fault: '5xx-before', retryAfter: '7' }, 503, { 'retry-after': '7' }],
		[{ fault: 'redirect' }, 302, { location: '/api/text2img?redirected=1' }],
		[{ fault: 'redirect', status: 307, location: '/elsewhere' }, 307, { location: '/elsewhere' }],
		[{ fault: 'status', headers: { 'X-Id': 'abc' } }, 500, { 'x-id': 'abc' }],
	])('%j: %i with the headers %j', async (rule, status, headers) => {
		const { result, charged } = await strike(rule, post);
		expect([result.status, charged]).toStrictEqual([status, 0]);
		const { location, 'retry-after': retryAfter } = result.headers;
		expect({
			...result.headers,
			location: location?.replace(service.sandbox.url, ''),
			'retry-after': retryAfter,
		}).toMatchObject(headers);
	});
});

describe('a fault before the charge', () => {
	const upload = async () =>
		await service.form('background-remover', {}, { image: { bytes: Buffer.alloc(30_000_000) } });

	it.each(['refuse', 'reset-before', 'close-before', 'reset-upload', 'no-http'] as const)(
		'%s: sends no response and charges nothing',
		async (fault) => {
			const { result, charged } = await failed({ fault }, post);
			expect(result).toMatch(fault === 'no-http' ? /HPE_|HTTPParserError/ : CUT);
			expect([charged, last()?.status]).toStrictEqual([0, null]);
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
		expect([charged, last()?.status]).toStrictEqual([0, 413]);
		expect(last()?.bytesReceived).toBeLessThan(30_000_000);
	});

	it('hang: never responds, and charges nothing when the client disconnects', async () => {
		const [requests, before] = [service.sandbox.requests.length, charges()];
		const received = () => service.sandbox.requests[requests]?.bytesReceived ?? 0;
		const reason = await abandon('hang', post, () => received() > 0);
		expect([reason, last()?.status, charges()]).toStrictEqual(['AbortError', null, before]);
	});

	it('delay: waits, then serves the request', async () => {
		const start = performance.now();
		const { result, charged } = await strike({ fault: 'delay', delayMs: 80 }, post);
		expect(performance.now() - start).toBeGreaterThan(79);
		expect([result.status, charged]).toStrictEqual([200, 1]);
	});
});

describe('a fault after the charge leaves the job in the ledger', () => {
	it.each(['reset-after', 'close-after', 'cut-json'] as const)('%s', async (fault) => {
		const { result, charged } = await failed({ fault }, post);
		expect(result).toMatch(CUT);
		expect(charged).toBe(1);
		const { outputUrl = '', jobId = '' } = service.sandbox.ledger.at(-1) ?? {};
		expect((await send(outputUrl)).body).toStrictEqual(await service.sandbox.output(jobId));
	});

	it.each(['timeout-after', 'stall-json'] as const)('%s', async (fault) => {
		const before = charges();
		expect(await abandon(fault, post, () => charges() > before)).toBe('AbortError');
	});

	const id = expect.any(String) as unknown;
	const matching = (pattern: RegExp) => expect.stringMatching(pattern) as unknown;
	const output_url = matching(/^http:\/\/127\.0\.0\.1:\d+\/job-view-file\/[^/]+\/outputs\/output/);
	const more = { backend_request_id: 'b7f1', usage: { generations: 1 }, tags: ['a', 'b'] };
	const other = 'http://127.0.0.1:9';
	it.each<Row>([
		[{ fault: 'delay-after', delayMs: 5 }, 200, { id, output_url }],
		[{ fault: '5xx-after' }, 500, { err: matching(/^A fault .+, after it was charged\.$/) }],
		[{ fault: 'created-201' }, 201, { id, output_url }],
		[{ fault: 'no-output-url' }, 200, { id }],
		[{ fault: 'no-id' }, 200, { output_url }],
		[{ fault: 'number-id' }, 200, { id: 42, output_url }],
		[{ fault: 'null-output-url' }, 200, { id, output_url: null }],
		[{ fault: 'bad-output-url' }, 200, { id, output_url: 'file:///etc/passwd' }],
		[{ fault: 'bad-output-url', location: 'a:b' }, 200, { id, output_url: 'a:b' }],
		[{ fault: 'relative-output-url' }, 200, { id, output_url: matching(/^\/job-view-file\//) }],
		[{ fault: 'other-host-output-url' }, 200, { id, output_url: matching(/^http:..localhost:/) }],
		[
			{ fault: 'other-host-output-url', location: other },
			200,
			{ id, output_url: matching(/^http:..127\.0\.0\.1:9\/job-view-file\//) },
		],
		[{ fault: 'extra-fields' }, 200, { id, output_url, ...more }],
		[{ fault: 'result-as-text' }, 200, { id, output_url }, 'text/plain'],
		[{ fault: 'truncated-json' }, 200, /^\{"id":"[^}]+$/],
	])('%j: %i', async (...[rule, status, body, type = JSON_TYPE]) => {
		const { result, charged } = await strike(rule, post);
		expect([result.status, charged]).toStrictEqual([status, 1]);
		expectBody(result, body, type);
	});

	it('gone-output-url leads to a 404', async () => {
		const { result, charged } = await strike({ fault: 'gone-output-url' }, post);
		expect([(await fileOf(result)).status, charged]).toStrictEqual([404, 1]);
	});

	it('waits for a call that is charged; a refused one does not use it up', async () => {
		service.sandbox.arm({ fault: '5xx-after' });
		expect((await service.json('text2img', {})).status).toBe(400);
		expect([(await post()).status, (await post()).status]).toStrictEqual([500, 200]);
	});
});

it.each([
	['error-huge', 500, 'err', 0],
	['huge-json-200', 200, 'padding', 1],
] as const)('%s: %i with 5 MiB of %s, charged %i times', async (fault, status, field, times) => {
	const { result, charged } = await strike({ fault }, post);
	expect([result.status, charged]).toStrictEqual([status, times]);
	expect(result.json()[field]).toHaveLength(5 * 1024 * 1024);
});

describe('a download fault', () => {
	let file: string;
	let bytes: Buffer;
	beforeAll(async () => {
		file = (await post()).link();
		bytes = (await send(file)).body;
	});
	const get = async (signal?: AbortSignal) => await send(file, signal && { signal });

	it.each<[FaultRule, number, string | undefined, 'image' | RegExp]>([
		[{ fault: 'download-404' }, 404, JSON_TYPE, /This file is gone/],
		[{ fault: 'download-500' }, 500, JSON_TYPE, /Storage is down/],
		[{ fault: 'download-rate-limit' }, 429, undefined, /^$/],
		[{ fault: 'empty' }, 200, 'image/jpeg', /^$/],
		[{ fault: 'html' }, 200, HTML_TYPE, /<h1>/],
		[{ fault: 'json-200' }, 200, JSON_TYPE, /expired/],
		[{ fault: 'text-as-png' }, 200, 'image/png', /not an image/],
		[{ fault: 'wrong-type' }, 200, 'text/plain', 'image'],
		[{ fault: 'no-type' }, 200, undefined, 'image'],
		[{ fault: 'octet-stream' }, 200, 'application/octet-stream', 'image'],
		[{ fault: 'type-with-parameters' }, 200, 'IMAGE/JPEG; charset=binary', 'image'],
		[{ fault: 'bad-file-name' }, 200, 'image/jpeg', 'image'],
		[{ fault: 'chunked' }, 200, 'image/jpeg', 'image'],
		[{ fault: 'gzip' }, 200, 'image/jpeg', 'image'],
		[{ fault: 'slow-drip', delayMs: 2 }, 200, 'image/jpeg', 'image'],
		[{ fault: 'late-body' }, 200, 'image/jpeg', 'image'],
	])('%j: %i %s, once', async (rule, status, type, body) => {
		const { result } = await strike(rule, get);
		expect([result.status, result.headers['content-type']]).toStrictEqual([status, type]);
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

	it.each([
		['truncated', 200],
		['reset-mid', 200],
		['download-refuse', null],
	] as const)('%s: cuts the connection', async (fault, status) => {
		expect((await failed({ fault }, get)).result).toMatch(CUT);
		expect(last()?.status).toBe(status);
	});

	it.each(['download-hang', 'download-stall'] as const)('%s: never ends', async (fault) => {
		const before = service.sandbox.requests.length;
		const reason = await abandon(fault, get, () => service.sandbox.requests.length > before);
		expect(reason).toBe('AbortError');
	});

	it('download-redirect: redirects to the same file or to the location of the rule', async () => {
		const { result } = await strike({ fault: 'download-redirect' }, get);
		expect([result.status, result.headers['location']]).toStrictEqual([
			302,
			`${file}?redirected=1`,
		]);
		expect((await send(`${file}?redirected=1`)).body).toStrictEqual(bytes);
		const location = 'http://a.invalid/';
		const rule = { fault: 'download-redirect', status: 307, location } as const;
		const { result: away } = await strike(rule, get);
		expect([away.status, away.headers['location']]).toStrictEqual([307, location]);
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
		expect([(await post()).status, (await get()).status]).toStrictEqual([200, 403]);
	});
});

describe('a rule', () => {
	it('respects times, after and the order of arming', async () => {
		service.sandbox.arm({ fault: 'status', status: 501, times: 2, after: 1 });
		service.sandbox.arm({ fault: 'status', status: 502 });
		const statuses = [];
		for (let call = 0; call < 5; call++) statuses.push((await post()).status);
		expect(statuses).toStrictEqual([502, 501, 501, 200, 200]);
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
		expect((await service.make({ text: 'a dog' })).status).toBe(200);
		expect((await service.make({ text: 'a fox' })).status).toBe(500);
		const image = { bytes: Buffer.from('x'), name: 'cat.png' };
		expect((await service.form(tool, {}, { image })).status).toBe(501);
		expect((await service.json(tool, { image: 'http://a.invalid/x.png' })).status).toBe(502);
		const [one, other] = [await post(), await post()];
		service.sandbox.arm({ fault: 'download-404', when: new URL(one.link()).pathname });
		expect([(await fileOf(other)).status, (await fileOf(one)).status]).toStrictEqual([200, 404]);
	});
});

it('tests every fault', () => {
	expect(Object.keys(faults).filter((name) => !tested.has(name))).toStrictEqual([]);
	expect(tested.size).toBeGreaterThanOrEqual(60);
});
