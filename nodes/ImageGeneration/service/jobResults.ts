import type { JobReference } from '../failures/failures';
import type { JobResult } from '../types';
import { BLANK } from './key';

/** n8n can't store values that are nested much more deeply. */
const MAX_DEPTH = 100;

/** Texts, and numbers that JSON.parse would change or reject. */
const TOKENS = new RegExp(
	[
		'"[^"\\\\]*(?:\\\\[^][^"\\\\]*)*(?:"|$)',
		'[-+.eE\\d•]{16,}',
		`[-+.eE\\d]{0,15}${BLANK}[-+.eE\\d•]*`,
	].join('|'),
	'g',
);
/** The lookbehind avoids quadratic time in a run of backslashes. */
const ESCAPES = /(?<!\\)\\+(["'/])/g;
const OUTPUT_URL = /output_url["']?\s*:\s*(\[[^[\]]*|"[^"]*"|'[^']*')/g;
const QUOTED_LINK = /(["'])(https?:\/\/(?:(?!\1)[^\s<>])+)\1/gi;
const ID = /(?<![\w$-])id["']?\s*:\s*(?:"([^"]+)"|'([^']+)'|(-?\d+))/;

/** Whether a value is a job result as specified (section 2.1). */
export function isJobResult(value: unknown): value is JobResult {
	return isObject(value) && isWebAddress(value.output_url);
}

/** Takes the id and link from a response. */
export function referenceTo(response: Record<string, unknown>): JobReference {
	const { id, output_url } = response;
	return {
		...((typeof id === 'string' || typeof id === 'number') && { id: String(id) }),
		...(typeof output_url === 'string' && { output_url }),
	};
}

/** Whether a value is an object, but not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the value of a JSON text is nested too deeply for n8n. */
export function isTooDeep(value: unknown, text: string): boolean {
	const openings = text.split(/[[{]/, MAX_DEPTH + 2).length - 1;
	return openings > MAX_DEPTH && isDeeper(value, MAX_DEPTH);
}

function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/**
 * Parses JSON. Numbers are kept as text if they are too large for a number, or if the key was hidden
 * in them.
 * @returns undefined if the text is not JSON.
 */
export function parseJson(text: string): unknown {
	try {
		const isPlain = !/\d{16}/.test(text) && !text.includes(BLANK);
		return JSON.parse(isPlain ? text : text.replace(TOKENS, quoteInexact));
	} catch {
		return undefined;
	}
}

function quoteInexact(token: string): string {
	if (token.startsWith('"')) return token;
	const number = Number(token);
	const isExact = /[.e]/i.test(token) ? Number.isFinite(number) : Number.isSafeInteger(number);
	return isExact ? token : `"${token}"`;
}

/**
 * Finds the ids and links of job results in any text: JSON in a list, a string or a web page, JSON that
 * is incomplete or uses single quotes. An incomplete link does not count. Takes linear time.
 * @returns one result for each link.
 */
export function salvageJobs(text: string): JobResult[] {
	const found = new Map<string, JobResult>();
	// JSON inside a string is escaped, perhaps several times.
	for (const [object] of text.replace(ESCAPES, '$1').matchAll(/[^{}]+/g)) {
		for (const [, links = ''] of object.matchAll(OUTPUT_URL)) {
			for (const [, , output_url = ''] of links.matchAll(QUOTED_LINK)) {
				const id = idIn(object);
				if (isWebAddress(output_url))
					found.set(output_url, { ...(id !== undefined && { id }), output_url });
			}
		}
	}
	return [...found.values()];
}

/** The id beside a link that is incomplete, such as at the end of a cut response. */
export function salvageId(text: string): { id?: string } {
	const [before = '', ...after] = text.replace(ESCAPES, '$1').split('output_url');
	const id = after.length === 0 ? undefined : idIn(before.slice(before.lastIndexOf('{') + 1));
	return id === undefined ? {} : { id };
}

function idIn(object: string): string | undefined {
	return ID.exec(object)?.slice(1).find(Boolean);
}

function isWebAddress(value: unknown): value is string {
	return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
}

/**
 * The links of this process's job results as the service sent them. A result that people and storage
 * receive has the key hidden in its link, so the real one exists only in memory.
 */
const realLinks = new WeakMap<JobResult, string>();

export function keepLink(job: JobResult, link: string): void {
	realLinks.set(job, link);
}

/** @returns undefined if the result was stored since, because then its link may lack the key. */
export function realLink(job: JobResult): string | undefined {
	return realLinks.get(job);
}
