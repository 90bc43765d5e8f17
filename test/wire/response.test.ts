import { Socket } from 'node:net';

import fc from 'fast-check';

import { toFailure, type Failure } from '../../nodes/ImageGeneration/failures/failures';
import { parseJson } from '../../nodes/ImageGeneration/service/jobResults';
import { parseJobResult, serviceMessage } from '../../nodes/ImageGeneration/service/response';
import { toService } from '../../nodes/ImageGeneration/service/service';
import type { JobResult } from '../../nodes/ImageGeneration/types';
import { fuzz, SEED } from '../support/fuzz';

const service = toService({ baseUrl: 'https://example.com', apiKey: 'a-key-to-hide' });
const JOB = { id: 'an-id', output_url: 'https://example.com/a.jpg' };
const LINK = '"https://example.com/a.jpg"';
const SENT = { text: 'a fox', image: 'https://example.com/sent.jpg' };
const json = JSON.stringify(JOB);
const other = json.replace('a.jpg', 'b.jpg');

const parse = (body: string, status = 200, headers = {}, request?: object): JobResult =>
	parseJobResult({ status, headers, request, sent: SENT, text: body }, service);

function failureOf(
	body: string,
	status = 200,
	headers = {},
	request?: object,
): JobResult | Failure {
	try {
		return parse(body, status, headers, request);
	} catch (error) {
		return toFailure(error);
	}
}

describe('a job result', () => {
	it.each([200, 299])('is accepted with any 2xx status, whatever else it holds: %d', (status) => {
		const job = { ...JOB, input: { output_url: 'https://example.com/other.jpg' } };

		expect(parse(JSON.stringify(job), status)).toStrictEqual(job);
	});

	it.each([199, 300, 404, 500])('is a rejection with status %d, but its job is kept', (status) => {
		expect(failureOf(json, status)).toMatchObject({ kind: 'rejection', status, job: JOB });
	});

	it.each([
		['12345678901234567890', '12345678901234567890'],
		['9007199254740991', 9007199254740991],
	])('keeps a number as it was written: %s', (written, kept) => {
		const job = parse(`{"id":${written},"list":[${written}],"output_url":"${JOB.output_url}"}`);

		expect(job).toMatchObject({ id: kept, list: [kept] });
	});

	it('keeps its other fields if the key is a number in it', () => {
		const digits = toService({ baseUrl: 'https://example.com', apiKey: '12345678' });
		const body = `{"n":12345678,"long":-112345678.5,${json.slice(1)}`;

		expect(parseJobResult({ status: 200, headers: {}, text: body }, digits)).toStrictEqual({
			n: '•••',
			long: '-1•••.5',
			...JOB,
		});
	});

	it('is cut to its id and link if it is nested more deeply than n8n stores', () => {
		const nested = (depth: number) =>
			`{"deep":${'['.repeat(depth)}${']'.repeat(depth)},${json.slice(1)}`;

		expect(parse(nested(101))).toStrictEqual(JOB);
		expect(parse(nested(50))).toHaveProperty('deep');
		// It would take long to parse.
		expect(parse(nested(30_000))).toStrictEqual(JOB);
	});

	it('keeps the name __proto__ and pollutes no other object', () => {
		const job = parse(`{"__proto__":{"polluted":1},${json.slice(1)}`);

		expect(Object.keys(job)).toContain('__proto__');
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});
});

describe('a job result is read from', () => {
	it.each<[what: string, body: string]>([
		['a PHP warning in front', `<br />\n<b>Warning</b>: Undefined [0] in {main}\n${json}`],
		['a word that JSON does not know', `{"score":NaN,"best":-Infinity,${json.slice(1)}`],
		['a list around it', `[${json}]`],
		['an object around it', `{"data":${json}}`],
		['several around it', `{"ok":true,"a":[{"b":{"c":${json}}}]}`],
		['lines of progress', `{"status":"queued"}\n{"status":"working"}\n${json}\n`],
		['server-sent events', `event: done\ndata: ${json}\n\n`],
		['JSONP', `/**/callback(${json});`],
		['a missing end', json.slice(0, -1)],
		['a list of one link', json.replace(LINK, `[${LINK}]`)],
		[
			'its only link to an image in another place',
			`{"id":"an-id","of":"https://example.com/sent.jpg","output":{"url":${LINK}}}`,
		],
		['a text of JSON', JSON.stringify(json)],
		['single quotation marks', json.replaceAll('"', "'")],
		['names without quotation marks', `{id: "an-id", output_url: "https://example.com/a.jpg"}`],
		['a byte order mark', `\ufeff${json}`],
	])('a response with %s', (_what, body) => {
		expect(parse(body)).toMatchObject(JOB);
	});

	it(`random text around it (seed ${SEED})`, () => {
		const text = fc.string({ maxLength: 200 });
		fc.assert(
			// An opening quotation mark before the result may swallow it.
			fc.property(text, text, (front, behind) => {
				fc.pre(!/[{[]/.test(front) && !behind.includes('output_url'));

				expect(parse(`${front}${json}${behind}`)).toMatchObject(JOB);
			}),
			fuzz(50),
		);
	});

	it('a truncated response only if its link is complete', () => {
		const body = JSON.stringify({ ...JOB, more: { text: 'abc' } });
		const links = Array.from(body, (_, end) => failureOf(body.slice(0, end))).map((result) =>
			'kind' in result ? undefined : result.output_url,
		);

		expect(new Set(links)).toStrictEqual(new Set([undefined, JOB.output_url]));
	});
});

const PAGE_LINKS = Array.from({ length: 12 }, (_, index) => `https://example.com/${index}.png`);
const LONG = 'x'.repeat(1000);
const TWO_LINKS = [JOB.output_url, 'https://example.com/b.jpg'];

/** What is known of a 2xx response that has no job result. */
const without = (returned: string, job = {}) => ({
	kind: 'unexpected response',
	status: 200,
	serviceMessage: undefined,
	returned,
	job,
});
const NO_ADDRESS = 'JSON whose output_url is not a web address';

type ResponseCase = [
	what: string,
	body: string,
	status: number,
	headers: object,
	expected: Record<string, unknown>,
];

describe('a response without one job result', () => {
	it.each<ResponseCase>([
		['two job results', `[${json},${other}]`, 200, {}, { job: JOB, links: TWO_LINKS }],
		[
			'two links',
			json.replace(LINK, JSON.stringify(TWO_LINKS)),
			200,
			{},
			{ job: JOB, links: TWO_LINKS },
		],
		['no text', ' \n', 200, {}, without('an empty response')],
		['a text', 'Hello <b>', 200, {}, without('text that is not JSON')],
		['null', 'null', 200, {}, without('JSON that is not an object')],
		['an empty list', '[]', 200, {}, without('JSON that is a list')],
		['an empty object', '{}', 200, {}, without('JSON without output_url')],
		['null for its link', '{"output_url":null}', 200, {}, without(NO_ADDRESS)],
		...['/a.jpg', 'ftp://a/https://a', 'https://'].map((output_url): ResponseCase => {
			const job = { id: 'a', output_url };
			return [`the link ${output_url}`, JSON.stringify(job), 200, {}, without(NO_ADDRESS, job)];
		}),
		['an id in an event', 'data: {"id":"a"}', 200, {}, { job: { id: 'a' } }],
		[
			'an id and a message',
			'{"id":7,"err":" Later "}',
			202,
			{},
			{ status: 202, serviceMessage: 'Later', job: { id: '7' } },
		],
		[
			'the key in a long text',
			`Hello\n  a-key-to-hide ${LONG}`,
			200,
			{},
			{ excerpt: `Hello ••• ${LONG}`.slice(0, 298), links: [] },
		],
		[
			'more than ten links in a page',
			`<a href="${PAGE_LINKS.join('">\n<a href="')}">`,
			200,
			{},
			{ links: PAGE_LINKS.slice(0, 10) },
		],
		[
			'a link that is cut',
			'{"a":"https:\\/\\/a.b\\/c","b":"https:\\/\\/a.',
			200,
			{},
			{ links: ['https://a.b/c'] },
		],
		[
			'a redirect to a path',
			'',
			302,
			{ location: '/v2/api/text2img' },
			{ location: 'https://example.com/v2/api/text2img' },
		],
		[
			'a redirect without a scheme',
			'',
			302,
			{ location: '//other.example/api' },
			{ location: '//other.example/api' },
		],
		[
			'Retry-After, and the key in Location',
			'{}',
			429,
			{ 'retry-after': '7', location: 'https://example.com/a-key-to-hide' },
			{
				kind: 'rejection',
				status: 429,
				retryAfter: 7000,
				location: 'https://example.com/•••',
				serviceMessage: undefined,
			},
		],
		['an id beside a message', '{"id":"request-1","err":"No"}', 400, {}, { kind: 'rejection' }],
		[
			'an example beside a message',
			JSON.stringify({ err: 'No', example: JOB }),
			400,
			{},
			{ kind: 'rejection' },
		],
		['a job behind other text', `Warning\n${json}`, 500, {}, { kind: 'rejection', job: JOB }],
	])('keeps what is of use: %s', (_what, body, status, headers, expected) => {
		const failure = failureOf(body, status, headers);

		expect(failure).toMatchObject(expected);
		expect(failure).toHaveProperty('job', expected.job ?? {});
	});

	it.each([
		['several images', `{"a":${LINK},"b":"https://example.com/b.png"}`],
		['an image beside a message', `{"err":"No","example":${LINK}}`],
		['an image beside a status', `{"status":"No credit","banner":${LINK}}`],
		['an image that was sent', '{"image":"https://example.com/sent.jpg"}'],
		['an image beside an output_url', `{"output_url":"/a.jpg","preview":${LINK}}`],
		['a page', '{"help":"https://example.com/help"}'],
		['a logo in a web page', `<html><img src=${LINK}>`],
	])('is one with a link to %s', (_what, body) => {
		expect(failureOf(body)).toMatchObject({ kind: 'unexpected response' });
	});
});

describe('an answer that is not the service’s', () => {
	it.each([
		['<html>', 403, 'a web page'],
		['', 500, 'an empty response'],
		['Forbidden', 401, 'text that is not JSON'],
	])('is %j with status %d', (body, status, returned) => {
		expect(failureOf(body, status)).toMatchObject({ kind: 'intercepted', status, returned });
	});

	it.each([
		['a redirect, whatever its body is', '<html>', 302],
		['JSON without a message', '{"code":7}', 500],
		['a job that was paid for', `<html>${json}`, 500],
	])('is not %s', (_what, body, status) => {
		expect(failureOf(body, status)).toMatchObject({ kind: 'rejection', status });
	});

	it('is a proxy’s if it asks for a login', () => {
		expect(failureOf('{"err":"No"}', 407)).toMatchObject({ kind: 'unreachable' });
	});

	it.each([
		['nothing was written to its connection', { socket: new Socket() }, 'unreachable'],
		['nothing is known of the request', undefined, 'rejection'],
	])('is a proxy’s exactly if %s', (_what, request, kind) => {
		expect(failureOf('{"err":"No"}', 502, {}, request)).toMatchObject({ kind });
	});
});

describe('the service’s message', () => {
	it.each([
		['{"status":"No"}', 'No'],
		['{"err":"No","status":"failed"}', 'No'],
		['{"err":" ","status":"failed"}', 'failed'],
		['{"err":{"code":7},"status":"failed"}', 'failed'],
		['{"status":200}', undefined],
		['No', undefined],
		[JSON.stringify({ err: 'x'.repeat(501) }), 'x'.repeat(500)],
	])('in %j is %j', (body, words) => {
		expect(serviceMessage(parseJson(body))).toBe(words);
	});
});
