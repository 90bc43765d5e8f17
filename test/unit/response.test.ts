import { toFailure } from '../../nodes/ImageGeneration/failures/failures';
import {
	parseJobResult,
	serviceMessage,
	type ServiceResponse,
} from '../../nodes/ImageGeneration/service/response';
import { toService } from '../../nodes/ImageGeneration/service/service';

const JOB = { id: 'an-id', output_url: 'https://example.com/a.jpg' };

const service = toService({ baseUrl: 'https://example.com', apiKey: 'a-key-to-hide' });

function failureOf(answer: Partial<ServiceResponse>): unknown {
	try {
		return parseJobResult({ status: 200, headers: {}, body: '', ...answer }, service).job;
	} catch (error) {
		return toFailure(error);
	}
}

describe('a job result', () => {
	it.each([200, 201, 202, 299])('is accepted with any 2xx status: %d', (status) => {
		expect(failureOf({ status, body: JSON.stringify({ ...JOB, more: 1 }) })).toEqual({
			...JOB,
			more: 1,
		});
	});

	it.each([199, 300, 404, 500])('is a rejection with status %d, but its job is kept', (status) => {
		expect(failureOf({ status, body: JSON.stringify(JOB) })).toMatchObject({
			kind: 'rejection',
			status,
			job: JOB,
		});
	});

	it.each(['HTTP://example.com/a.jpg', 'https://example.com'])('may link to %s', (output_url) => {
		expect(failureOf({ body: JSON.stringify({ output_url }) })).toEqual({ output_url });
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
		expect(failureOf({ body })).toMatchObject({
			...{ kind: 'unexpected response', returned: what, status: 200 },
			...{ serviceMessage: undefined, job: {} },
		});
	});

	it('keeps its status and the job it names', () => {
		expect(failureOf({ status: 202, body: '{"id":7,"err":" Later "}' })).toMatchObject({
			status: 202,
			serviceMessage: 'Later',
			job: { id: '7' },
		});
		expect(failureOf({ body: '{"id":"a","output_url":"/x"}' })).toMatchObject({
			job: { id: 'a', output_url: '/x' },
		});
		expect(failureOf({ body: '["id"]' })).toMatchObject({ job: {} });
	});
});

describe('a rejection', () => {
	it('keeps Retry-After and Location', () => {
		const headers = { 'retry-after': '7', location: 'https://example.com' };

		expect(failureOf({ status: 429, headers })).toMatchObject({
			status: 429,
			retryAfter: '7',
			location: 'https://example.com',
			serviceMessage: undefined,
			job: {},
		});
		expect(failureOf({ status: 429, headers: { 'retry-after': 7 } })).toMatchObject({
			retryAfter: undefined,
		});
	});

	it('ignores an id without a link, because it may belong to the error', () => {
		expect(failureOf({ status: 400, body: '{"id":"request-1","err":"No"}' })).toMatchObject({
			serviceMessage: 'No',
			job: {},
		});
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
