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

/** A response of the service as it came. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, unknown>;
	/** The body as text, as far as it was read. */
	body: string;
	/** Why the body was not read to its end. */
	isCut?: 'too long' | 'broken off' | undefined;
}

/** A job result, and how it came if that was not as the specification has it. */
export interface ParsedJob {
	job: JobResult;
	/** What came in place of a plain job result, such as `JSON that is a list`. */
	unusual?: string;
}

/** How a text is made fit to be shown. */
type Hide = Pick<Service, 'hideKey' | 'hideLink'>;

const LONGEST_WORDS = 500;
const LONGEST_EXCERPT = 300;
const LONGEST_HEADER = 2000;
const LINK = /(["']?)(https?:\/\/[^\s"'<>\\]{1,2000})(["']?)/gi;
const MOST_LINKS = 10;
/** Links are looked for in the beginning only, in characters. */
const LINKS_WITHIN = 64 * 1024;

/**
 * The job result in a response (section 2.1), the key blanked out. Success is always 200
 * (section 7), but a job result that comes with another 2xx is paid for all the same, and taken. So
 * is the only one that can be read out of an unusual response.
 * @throws ServiceRejection for any other status.
 * @throws UnexpectedResponse for a 2xx that holds no job result, or several.
 */
export function parseJobResult(response: ServiceResponse, hide: Hide): ParsedJob {
	const { status, headers, body } = response;
	const json = parsed(body);
	const words = hiddenWords(json, hide);
	if (status < 200 || status >= 300) {
		// An `id` alone may be that of the error.
		const job = valuesOf(json, body).find(isJobResult);
		throw new ServiceRejection(
			status,
			words,
			textOf(headers['retry-after'])?.slice(0, LONGEST_HEADER),
			hiddenHeader(headers.location, hide),
			job === undefined ? {} : hiddenReference(job, hide),
		);
	}
	if (isJobResult(json)) return { job: hiddenJob(json, hide) };
	const values = valuesOf(json, body);
	const jobs = jobResultsIn(values);
	const [job] = jobs;
	const what = whatCame(response, json);
	if (job !== undefined && jobs.length === 1) {
		return { job: hiddenJob(job, hide), unusual: what };
	}
	const named = job ?? values.find((value) => isObject(value) && hasReference(value));
	throw new UnexpectedResponse(
		what,
		words,
		isObject(named) ? hiddenReference(named, hide) : {},
		status,
		tracesOf(body, hide),
	);
}

/** The service's own words, `err` before `status` (section 7), 500 characters at most. */
export function serviceMessage(body: string): string | undefined {
	return wordsOf(parsed(body))?.slice(0, LONGEST_WORDS);
}

function wordsOf(json: unknown): string | undefined {
	if (!isObject(json)) return undefined;
	return [json.err, json.status]
		.map((said) => (isObject(said) ? said.message : said))
		.find((said): said is string => typeof said === 'string' && said.trim() !== '')
		?.trim();
}

function hiddenWords(json: unknown, { hideKey }: Hide): string | undefined {
	const words = wordsOf(json);
	return words === undefined ? undefined : hideKey(words).slice(0, LONGEST_WORDS);
}

/** The JSON, or what of it can be read out of the text around it. */
function valuesOf(json: unknown, body: string): unknown[] {
	if (json !== undefined) return [json];
	const values: unknown[] = [];
	// What holds nothing of a job is not kept, as a long text may hold millions of lists.
	for (const value of readLooseJson(body)) {
		if (isTelling(value)) values.push(value);
	}
	return values;
}

function isTelling(value: object): boolean {
	return (isObject(value) && hasReference(value)) || jobResultsIn([value]).length > 0;
}

function whatCame({ body, isCut }: ServiceResponse, json: unknown): string {
	if (isCut === 'too long') return 'more than 16 MiB';
	if (body.trim() === '') return 'an empty response';
	if (isCut === 'broken off') return 'an incomplete response';
	if (json === undefined)
		return body.trimStart().startsWith('<') ? 'a web page' : 'text that is not JSON';
	if (!isObject(json)) return `JSON that is ${Array.isArray(json) ? 'a list' : 'not an object'}`;
	if (json.output_url === undefined) return 'JSON without output_url';
	return 'JSON whose output_url is not a web address';
}

/** The JSON of a text. An integer that a number can't hold is kept as text, digit by digit. */
function parsed(body: string): unknown {
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
		// One whose quotation mark never comes is cut.
		.filter(([, opening, , closing]) => opening === '' || closing !== '')
		.map(([, , link = '']) => link);
	return {
		links: [...new Set(links)].slice(0, MOST_LINKS),
		excerpt: text.slice(0, LONGEST_EXCERPT).replace(/\s+/g, ' ').trim(),
	};
}

function hiddenReference(json: Record<string, unknown>, { hideKey }: Hide): JobReference {
	return Object.fromEntries(
		Object.entries(referenceTo(json)).map(([name, text]: [string, string]) => [
			name,
			hideKey(text),
		]),
	);
}

function hiddenHeader(header: unknown, { hideKey }: Hide): string | undefined {
	const text = textOf(header);
	return text === undefined ? undefined : hideKey(text.slice(0, LONGEST_HEADER));
}

/** The job result with the key blanked out in all its names and values. */
function hiddenJob(job: JobResult, hide: Hide): JobResult {
	return { ...hiddenFields(job, hide, 0), output_url: hide.hideLink(job.output_url) };
}

function hiddenFields(fields: object, hide: Hide, depth: number): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]: [string, unknown]) => [
			hide.hideKey(name),
			hiddenValue(value, hide, depth + 1),
		]),
	);
}

function hiddenValue(value: unknown, hide: Hide, depth: number): unknown {
	if (typeof value === 'string') return hide.hideKey(value);
	if (typeof value === 'number') {
		const text = String(value);
		const shown = hide.hideKey(text);
		return shown === text ? value : shown;
	}
	if (typeof value !== 'object' || value === null) return value;
	// What is nested so deep that n8n could not store it either.
	if (depth > MAX_DEPTH) return null;
	if (Array.isArray(value)) return value.map((inner) => hiddenValue(inner, hide, depth + 1));
	return hiddenFields(value, hide, depth);
}

function textOf(header: unknown): string | undefined {
	return typeof header === 'string' ? header : undefined;
}
