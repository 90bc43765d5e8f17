import { referenceTo, ServiceRejection, UnexpectedResponse } from '../failures/failures';
import type { JobResult } from '../types';

/** An answer of the service as it came. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, unknown>;
	/** The whole body as text. */
	body: string;
}

const LONGEST_WORDS = 500;

/**
 * The job result in an answer (section 2.1). Success is always 200 (section 7), but a job result
 * that comes with another 2xx is paid for all the same, and taken.
 * @throws Refusal for any other status.
 * @throws StrangeAnswer for a 2xx that holds no job result.
 */
export function parseJobResult({ status, headers, body }: ServiceResponse): JobResult {
	const json = parsed(body);
	const words = wordsOf(json);
	if (status < 200 || status >= 300) {
		// An `id` alone may be that of the error.
		const job = isJobResult(json) ? referenceTo(json) : {};
		throw new ServiceRejection(
			status,
			words,
			textOf(headers['retry-after']),
			textOf(headers.location),
			job,
		);
	}
	if (isJobResult(json)) return json;
	const job = isObject(json) ? referenceTo(json) : {};
	throw new UnexpectedResponse(whatCame(body, json), words, job, status);
}

/** The service's own words, `err` before `status` (section 7), 500 characters at most. */
export function serviceMessage(body: string): string | undefined {
	return wordsOf(parsed(body));
}

function wordsOf(json: unknown): string | undefined {
	if (!isObject(json)) return undefined;
	const words = [json.err, json.status].find(
		(candidate): candidate is string => typeof candidate === 'string' && candidate.trim() !== '',
	);
	return words?.trim().slice(0, LONGEST_WORDS);
}

/** Whether this is a job result (section 2.1): an object with a link to an image. */
export function isJobResult(json: unknown): json is JobResult {
	return isObject(json) && isWebAddress(json.output_url);
}

function isWebAddress(value: unknown): boolean {
	return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
}

function whatCame(body: string, json: unknown): string {
	if (body.trim() === '') return 'an empty answer';
	if (json === undefined) return /^\s*</.test(body) ? 'a web page' : 'text that is no JSON';
	if (!isObject(json)) return `JSON that is ${Array.isArray(json) ? 'a list' : 'no object'}`;
	if (json.output_url === undefined) return 'JSON without output_url';
	return 'JSON whose output_url is no web address';
}

function parsed(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(header: unknown): string | undefined {
	return typeof header === 'string' ? header : undefined;
}
