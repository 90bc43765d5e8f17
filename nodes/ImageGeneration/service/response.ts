import {
	referenceTo,
	ServiceRejection,
	UnexpectedResponse,
	type JobReference,
	type ResponseTraces,
} from '../failures/failures';
import type { JobResult } from '../types';
import { isJobResult, isObject, jobResultsIn } from './jobResults';
import { MAX_DEPTH, readLooseJson } from './looseJson';
import type { Service } from './service';

/** A response of the service. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, unknown>;
	/** The body, as far as it was read. */
	body: string;
	/** Why the body is incomplete. */
	isCut?: 'too long' | 'interrupted' | undefined;
}

/** A job result, and the form of the response if it was not as specified. */
export interface ParsedJob {
	job: JobResult;
	/** What was returned instead of a plain job result, such as `JSON that is a list`. */
	unusual?: string;
}

/** Hides the key in texts and links. */
type Hide = Pick<Service, 'hideKey' | 'hideLink'>;

const LONGEST_MESSAGE = 500;
const LONGEST_EXCERPT = 300;
const LONGEST_HEADER = 2000;
const LINK = /(["']?)(https?:\/\/[^\s"'<>\\]{1,2000})(["']?)/gi;
const MOST_LINKS = 10;
/** Links are searched for only in this many characters from the start. */
const LINKS_WITHIN = 64 * 1024;

/**
 * Parses the job result from a response (section 2.1), with the key hidden. Success is always 200
 * (section 7), but a job result with another 2xx is also paid for, so it is accepted. The same goes
 * for a single job result in an unusual response.
 * @throws ServiceRejection for any other status.
 * @throws UnexpectedResponse for a 2xx with no job result, or with several.
 */
export function parseJobResult(response: ServiceResponse, hide: Hide): ParsedJob {
	const { status, headers, body } = response;
	const json = parseJson(body);
	const message = redactedMessage(json, hide);
	if (status < 200 || status >= 300) {
		// An `id` alone may identify the error, not a job.
		const job = valuesOf(json, body).find(isJobResult);
		throw new ServiceRejection(
			status,
			message,
			asString(headers['retry-after'])?.slice(0, LONGEST_HEADER),
			redactedHeader(headers.location, hide),
			job === undefined ? {} : redactedReference(job, hide),
		);
	}
	if (isJobResult(json)) return { job: redactedJob(json, hide) };
	const values = valuesOf(json, body);
	const jobs = jobResultsIn(values);
	const [job] = jobs;
	const what = describeBody(response, json);
	if (job !== undefined && jobs.length === 1) {
		return { job: redactedJob(job, hide), unusual: what };
	}
	const named = job ?? values.find((value) => isObject(value) && hasReference(value));
	throw new UnexpectedResponse(
		what,
		message,
		isObject(named) ? redactedReference(named, hide) : {},
		status,
		tracesOf(body, hide),
	);
}

/** The service's message, `err` before `status` (section 7), 500 characters at most. */
export function serviceMessage(body: string): string | undefined {
	return messageIn(parseJson(body))?.slice(0, LONGEST_MESSAGE);
}

function messageIn(json: unknown): string | undefined {
	if (!isObject(json)) return undefined;
	return [json.err, json.status]
		.map((said) => (isObject(said) ? said.message : said))
		.find((said): said is string => typeof said === 'string' && said.trim() !== '')
		?.trim();
}

function redactedMessage(json: unknown, { hideKey }: Hide): string | undefined {
	const message = messageIn(json);
	return message === undefined ? undefined : hideKey(message).slice(0, LONGEST_MESSAGE);
}

/** The parsed JSON, or the values found in a text that is not JSON. */
function valuesOf(json: unknown, body: string): unknown[] {
	if (json !== undefined) return [json];
	const values: unknown[] = [];
	// Keeps only values that mention a job: a long text may contain millions of lists.
	for (const value of readLooseJson(body)) {
		if (mentionsJob(value)) values.push(value);
	}
	return values;
}

function mentionsJob(value: object): boolean {
	return (isObject(value) && hasReference(value)) || jobResultsIn([value]).length > 0;
}

function describeBody({ body, isCut }: ServiceResponse, json: unknown): string {
	if (isCut === 'too long') return 'more than 16 MiB';
	if (body.trim() === '') return 'an empty response';
	if (isCut === 'interrupted') return 'an incomplete response';
	if (json === undefined)
		return body.trimStart().startsWith('<') ? 'a web page' : 'text that is not JSON';
	if (!isObject(json)) return `JSON that is ${Array.isArray(json) ? 'a list' : 'not an object'}`;
	if (json.output_url === undefined) return 'JSON without output_url';
	return 'JSON whose output_url is not a web address';
}

/** Parses JSON. Integers too large for a number are kept as text. */
function parseJson(body: string): unknown {
	try {
		const json: unknown = JSON.parse(body);
		return /\d{16}/.test(body) && typeof json === 'object'
			? readLooseJson(body).next().value
			: json;
	} catch {
		return undefined;
	}
}

function hasReference(json: Record<string, unknown>): boolean {
	return Object.keys(referenceTo(json)).length > 0;
}

function tracesOf(body: string, { hideKey }: Hide): ResponseTraces {
	const text = hideKey(body.slice(0, LINKS_WITHIN).replaceAll('\\/', '/'));
	const links = Array.from(text.matchAll(LINK))
		// A link without its closing quotation mark is incomplete.
		.filter(([, opening, , closing]) => opening === '' || closing !== '')
		.map(([, , link = '']) => link);
	return {
		links: [...new Set(links)].slice(0, MOST_LINKS),
		excerpt: text.slice(0, LONGEST_EXCERPT).replace(/\s+/g, ' ').trim(),
	};
}

function redactedReference(json: Record<string, unknown>, { hideKey }: Hide): JobReference {
	return Object.fromEntries(
		Object.entries(referenceTo(json)).map(([name, text]: [string, string]) => [
			name,
			hideKey(text),
		]),
	);
}

function redactedHeader(header: unknown, { hideKey }: Hide): string | undefined {
	const text = asString(header);
	return text === undefined ? undefined : hideKey(text.slice(0, LONGEST_HEADER));
}

/** Hides the key in all field names and values of a job result. */
function redactedJob(job: JobResult, hide: Hide): JobResult {
	return { ...redactedFields(job, hide, 0), output_url: hide.hideLink(job.output_url) };
}

function redactedFields(fields: object, hide: Hide, depth: number): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]: [string, unknown]) => [
			hide.hideKey(name),
			redactedValue(value, hide, depth + 1),
		]),
	);
}

function redactedValue(value: unknown, hide: Hide, depth: number): unknown {
	if (typeof value === 'string') return hide.hideKey(value);
	if (typeof value === 'number') {
		const text = String(value);
		const redacted = hide.hideKey(text);
		return redacted === text ? value : redacted;
	}
	if (typeof value !== 'object' || value === null) return value;
	// n8n could not store anything nested more deeply.
	if (depth > MAX_DEPTH) return null;
	if (Array.isArray(value)) return value.map((inner) => redactedValue(inner, hide, depth + 1));
	return redactedFields(value, hide, depth);
}

function asString(header: unknown): string | undefined {
	return typeof header === 'string' ? header : undefined;
}
