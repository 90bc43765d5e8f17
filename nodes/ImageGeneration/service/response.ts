import { Failed, type JobReference, type UnexpectedResponse } from '../failures/failures';
import type { JobResult } from '../types';
import {
	isJobResult,
	isObject,
	isTooDeep,
	keepLink,
	parseJson,
	referenceTo,
	salvageId,
	salvageJobs,
} from './jobResults';
import type { Service } from './service';

/** A response of the service. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, unknown>;
	/** The body, as far as it was read. */
	body: string;
	/** Why the body is incomplete. */
	incomplete?: 'too long' | 'interrupted' | undefined;
}

/** A job result, and the form of the response if it was not as specified. */
export interface ParsedJob {
	job: JobResult;
	/** What was returned instead of a plain job result, such as `JSON that is a list`. */
	unusual?: string;
}

const LONGEST_MESSAGE = 500;
const LONGEST_EXCERPT = 300;
const LONGEST_HEADER = 2000;
const LINK = /(["']?)(https?:\/\/[^\s"'<>\\]{1,2000})(["']?)/gi;
const MOST_LINKS = 10;
/** Links are searched for only in this many characters from the start. */
const LINKS_WITHIN = 64 * 1024;

/**
 * Parses the job result from a response (section 2.1). The key is hidden here once, before anything is
 * read from the response; only the link's real address is kept for the download.
 * @throws Failed with a ServiceRejection for any status except 2xx, and with an UnexpectedResponse for a
 * 2xx with no job result, or with several.
 */
export function parseJobResult(
	response: ServiceResponse,
	{ hideKey }: Pick<Service, 'hideKey'>,
): ParsedJob {
	const body = hideKey(response.body);
	const header = (name: string) => {
		const text = response.headers[name];
		return typeof text === 'string' ? hideKey(text).slice(0, LONGEST_HEADER) : undefined;
	};
	const { status } = response;
	if (status < 200 || status >= 300) {
		const facts = { retryAfter: header('retry-after'), location: header('location') };
		throw new Failed({ kind: 'rejection', status, ...facts, ...rejectionIn(body) });
	}
	const parsed = jobIn({ ...response, body });
	const { job } = parsed;
	const jobs = body === response.body ? [job] : jobsIn(parseJson(response.body), response.body);
	const real = jobs.find(({ output_url }) => hideKey(output_url) === job.output_url);
	keepLink(job, (real ?? job).output_url);
	return parsed;
}

/** The service's message in a rejection, and the job result that it may have all the same. */
function rejectionIn(body: string): { serviceMessage: string | undefined; job: JobReference } {
	const json = parseJson(body);
	// An `id` alone may identify the error, and a job result next to `err` may be an example.
	const [job] = json === undefined && !/\berr\b/.test(body) ? salvageJobs(body) : [json];
	return {
		serviceMessage: messageIn(json) ?? cutMessage(body),
		job: isJobResult(job) ? referenceTo(job) : {},
	};
}

/**
 * Success is always 200 (section 7), but a job result with another 2xx is also paid for, so it is
 * accepted. The same goes for a single job result in an unusual response.
 */
function jobIn(response: ServiceResponse): ParsedJob {
	const { status, body } = response;
	const json = parseJson(body);
	const jobs = jobsIn(json, body);
	const [job] = jobs;
	if (job !== undefined && isJobResult(json)) return { job };
	const returned = describeBody(response, json);
	if (job !== undefined && jobs.length === 1) return { job, unusual: returned };
	const named = job ?? json ?? parseJson(body.slice(body.search(/\{|$/))) ?? salvageId(body);
	throw new Failed({
		...{ kind: 'unexpected response', returned, status, ...tracesOf(body) },
		serviceMessage: messageIn(json),
		job: isObject(named) ? referenceTo(named) : {},
	});
}

/** The job result that a body is, or those found in it. */
function jobsIn(json: unknown, body: string): JobResult[] {
	if (!isJobResult(json)) return salvageJobs(body);
	return [isTooDeep(json, body) ? { ...referenceTo(json), output_url: json.output_url } : json];
}

/** The service's message, `err` before `status` (section 7), 500 characters at most. */
export function serviceMessage(body: string): string | undefined {
	return messageIn(parseJson(body));
}

function messageIn(json: unknown): string | undefined {
	if (!isObject(json)) return undefined;
	return [json.err, json.status]
		.map((said) => (isObject(said) ? said.message : said))
		.find((said): said is string => typeof said === 'string' && said.trim() !== '')
		?.trim()
		.slice(0, LONGEST_MESSAGE);
}

/** The beginning of the message in JSON that was cut at the limit. */
function cutMessage(body: string): string | undefined {
	return /"(?:err|status)"\s*:\s*"([^"\\]{1,500})/.exec(body)?.[1];
}

function describeBody({ body, incomplete }: ServiceResponse, json: unknown): string {
	if (incomplete === 'too long') return 'more than 1 MiB';
	if (body.trim() === '') return 'an empty response';
	if (incomplete === 'interrupted') return 'an incomplete response';
	if (json === undefined)
		return body.trimStart().startsWith('<') ? 'a web page' : 'text that is not JSON';
	if (!isObject(json)) return `JSON that is ${Array.isArray(json) ? 'a list' : 'not an object'}`;
	if (json.output_url === undefined) return 'JSON without output_url';
	return 'JSON whose output_url is not a web address';
}

function tracesOf(body: string): Pick<UnexpectedResponse, 'links' | 'excerpt'> {
	const text = body.slice(0, LINKS_WITHIN).replaceAll('\\/', '/');
	const links = Array.from(text.matchAll(LINK))
		// A link without its closing quotation mark is incomplete.
		.filter(([, opening, , closing]) => opening === '' || closing !== '')
		.map(([, , link = '']) => link);
	return {
		links: [...new Set(links)].slice(0, MOST_LINKS),
		excerpt: text.slice(0, LONGEST_EXCERPT).replace(/\s+/g, ' ').trim(),
	};
}
