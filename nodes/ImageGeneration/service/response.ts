import {
	Failed,
	type Failure,
	type ResponseFacts,
	type UnexpectedResponse,
} from '../failures/failures';
import type { ReadText } from '../images/readable';
import type { JobResult } from '../types';
import { refusedByProxy } from './connectionFailure';
import { isJobResult, isObject, jobByImage, jobsIn, parseJson, referenceTo } from './jobResults';
import type { Service } from './service';
import { whoAnswered, type Answerer } from './whoAnswered';

/** A response of the service, with its body. */
interface ServiceResponse extends ReadText {
	status: number;
	headers: Record<string, string | undefined>;
	/** Node's request, as far as n8n's client hands it out. */
	request?: unknown;
	/** The text parts that were sent. */
	sent?: Record<string, string>;
}

/** The beginning of the message in JSON that was cut at the limit. */
const CUT_MESSAGE = /"(?:err|status)"\s*:\s*"([^"\\]{1,500})/;
const LINK = /(["']?)(https?:\/\/[^\s"'<>\\]{1,2000})(["']?)/gi;
const MOST_LINKS = 10;
/** Links are searched for only in this many characters from the start. */
const LINKS_WITHIN = 64 * 1024;

/**
 * Parses the job result from a response (section 2.1). Success is always 200 (section 7), but a job
 * result with another 2xx is also paid for, so it is accepted. The same goes for a single job result in
 * an odd response. The key is hidden here once, before anything is read from the response.
 * @throws Failed with what {@link whoAnswered} tells for any status except 2xx, and with an
 * UnexpectedResponse for a 2xx with no job result, or with several.
 */
export function parseJobResult(
	response: ServiceResponse,
	{ hideKey, baseUrl }: Pick<Service, 'hideKey' | 'baseUrl'>,
): JobResult {
	const { status, sent = {} } = response;
	const body = hideKey(response.text);
	const json = parseJson(body);
	const found = jobsIn(body, json);
	const [job, ...others] = found.filter(isJobResult);
	const returned = describeBody(response, json);
	if (status < 200 || status >= 300) {
		const { headers, request } = response;
		// An `id` alone may identify the error, and a job result next to `err` may be an example.
		const isExample = !isJobResult(json) && (json !== undefined || /\berr\b/.test(body));
		const paid = isExample ? undefined : job;
		const said = serviceMessage(json) ?? CUT_MESSAGE.exec(body)?.[1];
		const facts = {
			status,
			retryAfter: retryAfter(headers),
			serviceMessage: said,
			job: paid === undefined ? {} : referenceTo(paid),
		};
		// A path alone is no address for 'Base URL'.
		const location = headers.location?.replace(/^(?=\/(?!\/))/, baseUrl.origin);
		const isJson = isObject(json) || said !== undefined || paid !== undefined;
		const answerer = whoAnswered({ status, request, isJson });
		throw new Failed(
			refusal(answerer, facts, { returned, location: location && hideKey(location) }),
		);
	}
	if (job === undefined || others.length > 0) {
		const message = serviceMessage(json);
		const byImage = message === undefined ? jobByImage(json, Object.values(sent)) : undefined;
		if (byImage !== undefined) return byImage;
		// Other text may stand before JSON.
		const object = json ?? parseJson(body.slice(body.search(/\{|$/)));
		const named = job ?? (isObject(object) ? object : { ...found[0] });
		throw new Failed({
			kind: 'unexpected response',
			returned,
			status,
			...tracesOf(body),
			serviceMessage: message,
			job: referenceTo(named),
		});
	}
	return job;
}

/** What a response without a 2xx status means. */
function refusal(
	answerer: Answerer,
	facts: ResponseFacts & { status: number },
	{ returned, location }: { returned: string; location: string | undefined },
): Failure {
	const { status, retryAfter: asked } = facts;
	switch (answerer) {
		case 'proxy': {
			const why =
				status === 407
					? 'the proxy asks for a user name and password, status 407'
					: `the proxy answered with status ${status}`;
			return { ...refusedByProxy(why), retryAfter: asked };
		}
		case 'intermediary':
			return { ...facts, kind: 'intercepted', returned };
		case 'service':
			return { ...facts, kind: 'rejection', location };
	}
}

/**
 * Reads `Retry-After`, which is in seconds or a date. A date counts by the clock of the response, its
 * `Date` header, because that of n8n may be wrong.
 * @param now Used without that header; in milliseconds.
 * @returns milliseconds from now.
 */
export function retryAfter(
	{ 'retry-after': header = '', date: sentAt = '' }: ServiceResponse['headers'],
	now = Date.now(),
): number | undefined {
	const text = header.trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const until = dateIn(text);
	return until === undefined ? undefined : Math.max(0, until - (dateIn(sentAt) ?? now));
}

/** Reads a date of HTTP. @returns milliseconds since 1970. */
function dateIn(text: string): number | undefined {
	// Date.parse reads "1.5" as a day in January.
	const date = /^[a-z]{3,9}, /i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : date;
}

/** The service's message in a response, `err` before `status` (section 7), 500 characters at most. */
export function serviceMessage(json: unknown): string | undefined {
	if (!isObject(json)) return undefined;
	return [json.err, json.status]
		.map((said) => (isObject(said) ? said.message : said))
		.find((said): said is string => typeof said === 'string' && said.trim() !== '')
		?.trim()
		.slice(0, 500);
}

function describeBody({ text, incomplete }: ServiceResponse, json: unknown): string {
	if (incomplete === 'too long') return 'more than 1 MiB';
	const isEmpty = text.trim() === '';
	if (incomplete === 'interrupted')
		return isEmpty ? 'an unreadable response' : 'an incomplete response';
	if (isEmpty) return 'an empty response';
	if (json === undefined)
		return text.trimStart().startsWith('<') ? 'a web page' : 'text that is not JSON';
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
		excerpt: text.slice(0, 300).replace(/\s+/g, ' ').trim(),
	};
}
