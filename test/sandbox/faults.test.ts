import type { FaultName, FaultRule } from '../../sandbox';
import { faults } from '../../sandbox/faults/table';
import { until } from '../support/until';
import { failure, fileOf, send, useSandbox, type Answer } from './useSandbox';

const service = useSandbox();
const CUT = /ECONNRESET|EPIPE|UND_ERR_SOCKET/;
const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const HUGE = 'x'.repeat(5 * 1024 ** 2);
const post = async (signal?: AbortSignal) => await service.make({}, signal && { signal });
const last = () => service.sandbox.requests.at(-1);
const charges = () => service.sandbox.ledger.length;
const tested = new Set<string>();

/** Arms a fault, makes a call, and returns its result and how many charges it caused. */
async function strike<Result>(rule: FaultRule, call: () => Promise<Result>) {
	tested.add(rule.fault);
	const before = charges();
	service.sandbox.arm(rule);
	const result = await call();
	return { result, charged: charges() - before };
}

/** Arms a fault, makes a call that has no answer, and returns why. */
const failed = async (rule: FaultRule, call: () => Promise<Answer>) =>
	await strike(rule, async () => await failure(call()));

/** Arms a fault, and leaves a call at a moment. Returns why it failed. */
async function leave(
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

/** Expects a body as JSON or text, and a type or, if it is null, none. */
function expectBody(answer: Answer, expected: unknown, type?: string | null) {
	if (expected instanceof RegExp) expect(answer.body.toString()).toMatch(expected);
	else expect(answer.json()).toStrictEqual(expected);
	if (type !== undefined) expect(answer.headers['content-type'] ?? null).toBe(type);
}

/** A fault, its status, its body as JSON or a pattern for its text, and its type. */
type Row = [rule: FaultRule, status: number, body: unknown, type?: string | null];

describe('a fault instead of the tool’s answer', () => {
	const err = 'A fault was armed for this request.';
	it.each<Row>([
		[{ fault: 'status' }, 500, { err }],
		[{ fault: 'status', status: 418, body: { err: 'teapot' } }, 418, { err: 'teapot' }],
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
		[{ fault: 'error-huge' }, 500, { err: HUGE }],
		[{ fault: 'html-200' }, 200, /<h1>/, HTML_TYPE],
		[{ fault: 'empty-200' }, 200, /^$/, null],
		[{ fault: 'no-content' }, 204, /^$/, null],
	])('charges nothing: %j: %i', async (...[rule, status, body, type]) => {
		const { result, charged } = await strike(rule, post);
		expect([result.status, last()?.status, charged]).toStrictEqual([status, status, 0]);
		expectBody(result, body, type);
	});

	it.each<[FaultRule, number, Record<string, string | undefined>]>([
		[{ fault: 'rate-limit' }, 429, { 'retry-after': '1' }],
		[{ fault: 'rate-limit', retryAfter: '' }, 429, { 'retry-after': undefined }],
		[{ fault: 'status', status: 429, retryAfter: '7' }, 429, { 'retry-after': '7' }],
		[{ fault: 'redirect' }, 302, { location: '/api/text2img?redirected=1' }],
		[{ fault: 'redirect', status: 307, location: '/elsewhere' }, 307, { location: '/elsewhere' }],
		[{ fault: 'status', headers: { 'X-Id': 'abc' } }, 500, { 'x-id': 'abc' }],
	])('charges nothing: %j: %i with the headers %j', async (rule, status, headers) => {
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
			await post();
			expect(charges()).toBe(1);
		},
	);

	it.each([
		[{ fault: 'reset-upload', bytes: 100_000 }, null],
		[{ fault: 'answer-mid-upload' }, 413],
	] as const)('%j: strikes while the body still arrives', async (rule, status) => {
		const { charged } = await failed(rule, upload);
		expect([charged, last()?.status]).toStrictEqual([0, status]);
		expect(last()?.bytesReceived).toBeLessThan(30_000_000);
	});

	it('hang: never responds, and charges nothing when the client leaves', async () => {
		const reason = await leave('hang', post, () => (last()?.bytesReceived ?? 0) > 0);
		expect([reason, last()?.status, charges()]).toStrictEqual(['AbortError', null, 0]);
	});
});

describe('a fault after the charge leaves the job in the ledger:', () => {
	it.each(['reset-after', 'close-after', 'cut-json'] as const)('%s', async (fault) => {
		const { result, charged } = await failed({ fault }, post);
		expect(result).toMatch(CUT);
		expect(charged).toBe(1);
		const { outputUrl = '', jobId = '' } = service.sandbox.ledger.at(-1) ?? {};
		expect((await send(outputUrl)).body).toStrictEqual(await service.sandbox.output(jobId));
	});

	it.each(['timeout-after', 'stall-json'] as const)('%s', async (fault) => {
		expect(await leave(fault, post, () => charges() === 1)).toBe('AbortError');
	});

	const id = expect.any(String) as unknown;
	const matching = (pattern: RegExp) => expect.stringMatching(pattern) as unknown;
	const output_url = matching(/^http:\/\/127\.0\.0\.1:\d+\/job-view-file\/[^/]+\/outputs\/output/);
	const more = { backend_request_id: 'b7f1', usage: { generations: 1 }, tags: ['a', 'b'] };
	it.each<Row>([
		[{ fault: 'delay', delayMs: 5 }, 200, { id, output_url }],
		[{ fault: 'delay-after', delayMs: 5 }, 200, { id, output_url }],
		[{ fault: '5xx-after' }, 500, { err: matching(/^A fault .+, after it was charged\.$/) }],
		[{ fault: 'created-201' }, 201, { id, output_url }],
		[{ fault: 'no-output-url' }, 200, { id }],
		[{ fault: 'no-id' }, 200, { output_url }],
		[{ fault: 'number-id' }, 200, { id: 42, output_url }],
		[{ fault: 'null-output-url' }, 200, { id, output_url: null }],
		[{ fault: 'bad-output-url', location: 'a:b' }, 200, { id, output_url: 'a:b' }],
		[{ fault: 'relative-output-url' }, 200, { id, output_url: matching(/^\/job-view-file\//) }],
		[{ fault: 'gone-output-url' }, 200, { id, output_url: matching(/gone/) }],
		[{ fault: 'other-host-output-url' }, 200, { id, output_url: matching(/^http:..localhost:/) }],
		[{ fault: 'extra-fields' }, 200, { id, output_url, ...more }],
		[{ fault: 'huge-json-200' }, 200, { id, output_url, padding: HUGE }],
		[{ fault: 'result-as-text' }, 200, { id, output_url }, 'text/plain'],
		[{ fault: 'truncated-json' }, 200, /^\{"id":"[^}]+$/],
	])('%j: %i', async (...[rule, status, body, type = JSON_TYPE]) => {
		const { result, charged } = await strike(rule, post);
		expect([result.status, charged]).toStrictEqual([status, 1]);
		expectBody(result, body, type);
	});

	it('and waits for a call that is charged; a refused one does not use it up', async () => {
		service.sandbox.arm({ fault: '5xx-after' });
		expect((await service.json('text2img', {})).status).toBe(400);
		expect([(await post()).status, (await post()).status]).toStrictEqual([500, 200]);
	});
});

describe('a fault of a download', () => {
	let file: string;
	let bytes: Buffer;
	beforeEach(async () => {
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
		const reason = await leave(fault, get, () => service.sandbox.requests.length > before);
		expect(reason).toBe('AbortError');
	});

	it('download-redirect: redirects to the same file, and redirect-loop endlessly', async () => {
		const { result } = await strike({ fault: 'download-redirect' }, get);
		expect([result.status, result.headers['location']]).toStrictEqual([
			302,
			`${file}?redirected=1`,
		]);
		expect((await send(`${file}?redirected=1`)).body).toStrictEqual(bytes);
		const follow = async () => await send(file, { redirect: 'follow' });
		expect((await failed({ fault: 'redirect-loop' }, follow)).result).toBe('Error');
	});

	it('can be one of a tool, but not the other way round', async () => {
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
		expect(await service.statuses(5)).toStrictEqual([502, 501, 501, 200, 200]);
	});

	it('strikes only the tool in on, and what has the text of when: a prompt, file name, image URL or path', async () => {
		const tool = 'background-remover';
		service.sandbox.arm({ fault: 'status', status: 503, on: 'image-editor' });
		service.sandbox.arm({ fault: 'status', when: 'fox' });
		service.sandbox.arm({ fault: 'status', status: 501, when: 'cat.png' });
		service.sandbox.arm({ fault: 'status', status: 502, when: 'http://a.invalid' });
		expect((await service.make({ text: 'a dog' })).status).toBe(200);
		expect((await service.make({ text: 'a fox' })).status).toBe(500);
		const image = { bytes: Buffer.from('x'), name: 'cat.png' };
		expect((await service.form(tool, {}, { image })).status).toBe(501);
		expect((await service.json(tool, { image: 'http://a.invalid/x.png' })).status).toBe(502);
		expect((await service.json('image-editor', {})).status).toBe(503);
		const [one, other] = [await post(), await post()];
		service.sandbox.arm({ fault: 'download-404', when: new URL(one.link()).pathname });
		expect([(await fileOf(other)).status, (await fileOf(one)).status]).toStrictEqual([200, 404]);
	});
});

describe('the header x-sandbox-fault', () => {
	const call = async (fault: string) =>
		await service.make({}, { headers: { 'x-sandbox-fault': fault } });

	it.each<[fault: string, status: number, message: unknown]>([
		['rate-limit', 429, 'Too many requests.'],
		['{"fault":"status","status":418}', 418, 'A fault was armed for this request.'],
		['nope', 400, expect.stringMatching(/^x-sandbox-fault: fault: Invalid option/)],
		['truncated', 400, expect.stringMatching(/^x-sandbox-fault: .+ applies to a download/)],
		['{"fault":"status","times":2}', 400, 'x-sandbox-fault: Unrecognized key: "times".'],
	])('%s answers this one request with %d, before the armed faults', async (...row) => {
		const [fault, status, message] = row;
		service.sandbox.arm({ fault: 'status', status: 500 });
		expect((await call(fault)).outcome()).toStrictEqual([status, message]);
		expect(charges()).toBe(0);
		expect(await service.statuses(2)).toStrictEqual([500, 200]);
	});

	it('strikes a download', async () => {
		const url = (await post()).link();
		const headers = { 'x-sandbox-fault': 'download-404' };
		const statuses = [(await send(url, { headers })).status, (await send(url)).status];
		expect(statuses).toStrictEqual([404, 200]);
	});
});

it('every fault has a test', () => {
	expect(Object.keys(faults).filter((name) => !tested.has(name))).toStrictEqual([]);
});
