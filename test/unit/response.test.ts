import fc from 'fast-check';

import { toFailure, type Failure } from '../../nodes/ImageGeneration/failures/failures';
import {
	parseJobResult,
	serviceMessage,
	type ParsedJob,
} from '../../nodes/ImageGeneration/service/response';
import { toService } from '../../nodes/ImageGeneration/service/service';
import { fuzz, SEED } from '../support/fuzz';

const service = toService({ baseUrl: 'https://example.com', apiKey: 'a-key-to-hide' });
const JOB = { id: 'an-id', output_url: 'https://example.com/a.jpg' };
const json = JSON.stringify(JOB);
const other = json.replace('a.jpg', 'b.jpg');

const parse = (body: string, status = 200, headers = {}): ParsedJob =>
	parseJobResult({ status, headers, body }, service);

function failureOf(body: string, status = 200, headers = {}): ParsedJob | Failure {
	try {
		return parse(body, status, headers);
	} catch (error) {
		return toFailure(error);
	}
}

describe('a job result', () => {
	it.each([200, 201, 202, 299])('is accepted with any 2xx status: %d', (status) => {
		const job = { ...JOB, more: 1 };

		expect(parse(JSON.stringify(job), status)).toEqual({ job });
	});

	it.each([199, 300, 404, 500])('is a rejection with status %d, but its job is kept', (status) => {
		expect(failureOf(json, status)).toMatchObject({ kind: 'rejection', status, job: JOB });
	});

	it.each(['HTTP://example.com/a.jpg', 'https://example.com'])('may link to %s', (output_url) => {
		expect(parse(JSON.stringify({ output_url }))).toEqual({ job: { output_url } });
	});

	it('is not called unusual, whatever else it holds', () => {
		const body = JSON.stringify({ ...JOB, input: { output_url: 'https://example.com/other.jpg' } });

		expect(parse(body)).toEqual({ job: JSON.parse(body) as unknown });
	});

	it.each([
		['12345678901234567890', '12345678901234567890'],
		['-9007199254740993', '-9007199254740993'],
		['9007199254740991', 9007199254740991],
		['0.1234567890123456', 0.1234567890123456],
		['42', 42],
	])('keeps a number as it was written: %s', (written, kept) => {
		const { job } = parse(`{"id":${written},"list":[${written}],"output_url":"${JOB.output_url}"}`);

		expect(job).toMatchObject({ id: kept, list: [kept] });
	});

	it('keeps its other fields if the key is a number in it', () => {
		const digits = toService({ baseUrl: 'https://example.com', apiKey: '12345678' });
		const body = `{"n":12345678,"long":-112345678.5,${json.slice(1)}`;

		expect(parseJobResult({ status: 200, headers: {}, body }, digits).job).toEqual({
			...{ n: '•••', long: '-1•••.5' },
			...JOB,
		});
	});

	it.each([101, 10_000])('is cut to its id and link if it is nested %i levels deep', (levels) => {
		const nested = (depth: number) =>
			`{"deep":${'['.repeat(depth)}${']'.repeat(depth)},${json.slice(1)}`;

		expect(parse(nested(levels))).toEqual({ job: JOB });
		expect(parse(nested(50)).job).toHaveProperty('deep');
	});

	it('keeps the name __proto__ and pollutes no other object', () => {
		const { job } = parse(`{"__proto__":{"polluted":1},${json.slice(1)}`);

		expect(Object.keys(job)).toContain('__proto__');
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});
});

describe('a job result is read from', () => {
	it.each<[what: string, body: string]>([
		[
			'a PHP warning in front',
			`<br />\n<b>Warning</b>: Undefined [0] in {main} on line 3\n${json}`,
		],
		['a log line before it', `[2026-11-21 10:00:00] warn: it's slow {"a":1\n${json}`],
		['a word that JSON does not know', `{"score":NaN,"best":-Infinity,${json.slice(1)}`],
		['a word behind it', `${json.slice(0, -1)},"score":NaN}`],
		['a list around it', `[${json}]`],
		['an object around it', `{"data":${json}}`],
		['several around it', `{"ok":true,"a":[{"b":{"c":${json}}}]}`],
		['heartbeats', `\n\n: ping\n\n${json}\n: ping\n`],
		['lines of progress', `{"status":"queued"}\n{"status":"working"}\n${json}\n`],
		['server-sent events', `event: done\ndata: ${json}\n\n`],
		['JSONP', `/**/callback(${json});`],
		['a guard against other sites', `)]}',\n${json}`],
		['a missing end', json.slice(0, -1)],
		['a missing end behind the link', `${json.slice(0, -1)},"more":{"text":"abc`],
		[
			'a list of one link',
			json.replace('"https://example.com/a.jpg"', '["https://example.com/a.jpg"]'),
		],
		['a text of JSON', JSON.stringify(json)],
		['a text of JSON in a field', JSON.stringify({ body: json })],
		['a comma too many', `${json.slice(0, -1)},}`],
		['single quotation marks', json.replaceAll('"', "'")],
		['names without quotation marks', `{id: "an-id", output_url: "https://example.com/a.jpg"}`],
		['itself, twice', `${json}\n${json}`],
		['a byte order mark', `\ufeff${json}`],
	])('a response with %s', (_what, body) => {
		const { job, unusual } = parse(body);

		expect(job).toMatchObject(JOB);
		expect(unusual).toMatch(
			/^(JSON that is|JSON without|JSON whose|text that is not JSON|a web page)/,
		);
	});

	it(`random text around it (seed ${SEED})`, () => {
		const text = fc.string({ unit: 'binary', maxLength: 200 });
		fc.assert(
			// An opening quotation mark before the result may swallow it.
			fc.property(
				text.filter((front) => !/[{[]/.test(front)),
				text,
				(front, behind) => {
					const isClean = !behind.includes('output_url');

					expect(!isClean || parse(`${front}${json}${behind}`).job).toMatchObject(
						isClean ? JOB : {},
					);
				},
			),
			fuzz(1000),
		);
	});

	it('a truncated response only if its link is complete', () => {
		const body = JSON.stringify({ ...JOB, more: { text: 'abc' } });
		const links = Array.from(body, (_, end) => failureOf(body.slice(0, end))).map((result) =>
			'kind' in result ? undefined : result.job.output_url,
		);

		expect(new Set(links)).toEqual(new Set([undefined, JOB.output_url]));
	});
});

describe('several job results in one response', () => {
	it.each([
		[`[${json},${other}]`],
		[`${json}\n${other}`],
		[
			json.replace(
				'"https://example.com/a.jpg"',
				'["https://example.com/a.jpg","https://example.com/b.jpg"]',
			),
		],
	])('are not delivered, but both links are kept: %s', (body) => {
		expect(failureOf(body)).toMatchObject({
			job: JOB,
			links: ['https://example.com/a.jpg', 'https://example.com/b.jpg'],
		});
	});
});

describe('a 2xx response without a job result', () => {
	it.each([
		['', 'an empty response'],
		[' \n', 'an empty response'],
		['<!doctype html>', 'a web page'],
		['\n <html>', 'a web page'],
		['Hello <b>', 'text that is not JSON'],
		['null', 'JSON that is not an object'],
		['"done"', 'JSON that is not an object'],
		['42', 'JSON that is not an object'],
		['[]', 'JSON that is a list'],
		['{}', 'JSON without output_url'],
		['{"output_url":null}', 'JSON whose output_url is not a web address'],
		['{"output_url":"/a.jpg"}', 'JSON whose output_url is not a web address'],
		['{"output_url":"ftp://example.com"}', 'JSON whose output_url is not a web address'],
		['{"output_url":"see https://example.com"}', 'JSON whose output_url is not a web address'],
		['{"output_url":"https://"}', 'JSON whose output_url is not a web address'],
		['{"output_url":"ftp://example.com/https://a"}', 'JSON whose output_url is not a web address'],
		['{"output_url":42}', 'JSON whose output_url is not a web address'],
	])('%j is described as %s', (body, what) => {
		expect(failureOf(body)).toMatchObject({
			...{ kind: 'unexpected response', returned: what, status: 200 },
			...{ serviceMessage: undefined, job: {} },
		});
	});

	it('keeps its status and the job it names', () => {
		expect(failureOf('{"id":7,"err":" Later "}', 202)).toMatchObject({
			status: 202,
			serviceMessage: 'Later',
			job: { id: '7' },
		});
		expect(failureOf('{"id":"a","output_url":"/x"}')).toMatchObject({
			job: { id: 'a', output_url: '/x' },
		});
		expect(failureOf('["id"]')).toMatchObject({ job: {} });
		expect(failureOf('data: {"id":"a"}')).toMatchObject({ job: { id: 'a' } });
	});
});

describe('what is kept of such a response', () => {
	it('is its beginning, without the key, up to 300 characters', () => {
		const failure = failureOf(`Hello\n  a-key-to-hide ${'x'.repeat(1000)}`);

		expect(failure).toMatchObject({
			excerpt: `Hello ••• ${'x'.repeat(1000)}`.slice(0, 298),
			links: [],
		});
	});

	it('is up to ten links', () => {
		const links = Array.from({ length: 12 }, (_, number) => `https://example.com/${number}.png`);

		expect(failureOf(`<a href="${links.join('">\n<a href="')}">`)).toMatchObject({
			links: links.slice(0, 10),
		});
		expect(failureOf('{"a":"https:\\/\\/example.com\\/a.png","b":"https:\\/\\/exam')).toMatchObject(
			{ links: ['https://example.com/a.png'] },
		);
	});
});

describe('a rejection', () => {
	it('keeps Retry-After, and Location without the key', () => {
		const headers = { 'retry-after': '7', location: 'https://example.com/a-key-to-hide' };

		expect(failureOf('', 429, headers)).toMatchObject({
			...{ status: 429, retryAfter: '7', location: 'https://example.com/•••' },
			...{ serviceMessage: undefined, job: {} },
		});
	});

	it('names no job by an id without a link, or by a link beside err: it may be an example', () => {
		const example = JSON.stringify({ err: 'No', example: JOB });

		expect(failureOf('{"id":"request-1","err":"No"}', 400)).toMatchObject({
			...{ serviceMessage: 'No', job: {} },
		});
		expect(failureOf(example, 400)).toMatchObject({ job: {} });
		expect(failureOf(`Warning\n${json}`, 500)).toMatchObject({ job: JOB });
		expect(failureOf(`{"id":"b","output_url":"} ${json}`, 500)).toMatchObject({ job: JOB });
	});
});

describe('the service’s message', () => {
	it.each([
		['{"err":"No"}', 'No'],
		['{"status":"No"}', 'No'],
		['{"err":"No","status":"failed"}', 'No'],
		['{"err":" ","status":"failed"}', 'failed'],
		['{"err":{"message":"No"},"status":"failed"}', 'No'],
		['{"err":{"code":7},"status":"failed"}', 'failed'],
		['{"status":{"message":" No "}}', 'No'],
		['{"err":"  No  "}', 'No'],
		['{"err":""}', undefined],
		['{"status":200}', undefined],
		['["No"]', undefined],
		['null', undefined],
		['No', undefined],
		['', undefined],
	])('in %j is %j', (body, words) => {
		expect(serviceMessage(body)).toBe(words);
	});

	it('is cut to 500 characters', () => {
		expect(serviceMessage(JSON.stringify({ err: 'x'.repeat(501) }))).toBe('x'.repeat(500));
	});
});
