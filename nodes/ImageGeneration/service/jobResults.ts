import type { JobReference } from '../failures/failures';
import { IMAGE_EXTENSION } from '../images/imageType';
import type { JobResult } from '../types';
import { isWebAddress } from '../values/webAddress';
import { BLANK } from './key';

/** n8n can't store values that are nested much more deeply. */
const MAX_DEPTH = 100;
/** JSON.parse takes up to half a second for a megabyte of opening brackets (Node 24.21). */
const MOST_OPEN_BRACKETS = 20_000;
/** Texts, and numbers that JSON.parse would change or reject. */
const TOKENS = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[-+.eE\d•]{16,}|[-+.eE\d]{0,15}•••[-+.eE\d•]*/g;
/** The lookbehind avoids quadratic time in a run of backslashes. */
const ESCAPES = /(?<!\\)\\+(["'/])/g;
const OUTPUT_URL = /output_url["']?\s*:\s*(\[[^[\]]*|"[^"]*"|'[^']*')/g;
const QUOTED_LINK = /(["'])(https?:\/\/(?:(?!\1)[^\s<>])+)\1/gi;
const ID = /(?<![\w$-])id["']?\s*:\s*(?:"([^"]+)"|'([^']+)'|(-?\d+))/;

/** Whether a value is a job result as specified (section 2.1). */
export function isJobResult(value: unknown): value is JobResult {
	return isObject(value) && isLink(value.output_url);
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

/**
 * The job result that a body is, or only its id and link if it is nested too deeply; or those found in
 * the text.
 */
export function jobsIn(body: string, json = parseJson(body)): JobReference[] {
	if (!isJobResult(json)) return salvageJobs(body);
	return [isDeeper(json, MAX_DEPTH) ? referenceTo(json) : json];
}

/**
 * The job of an answer that has one link to an image, under another name than the specification's.
 * @param sent Values of the request, which an answer may repeat.
 */
export function jobByImage(json: unknown, sent: readonly string[]): JobResult | undefined {
	if (json === undefined || isDeeper(json, MAX_DEPTH)) return undefined;
	const text = JSON.stringify(json);
	if (text.includes('"output_url"')) return undefined;
	const quoted = Array.from(text.matchAll(QUOTED_LINK), ([, , link = '']) => link);
	const images = quoted.filter((link) => isLinkToImage(link) && !sent.includes(link));
	const [output_url, ...others] = new Set(images);
	if (output_url === undefined || others.length > 0) return undefined;
	return { ...(isObject(json) && referenceTo(json)), output_url };
}

function isLinkToImage(link: string): boolean {
	return isLink(link) && IMAGE_EXTENSION.test(new URL(link).pathname);
}

function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/**
 * Parses JSON. Numbers are kept as text if they are too large for a number, or if the key was hidden
 * in them.
 * @returns undefined if the text is not JSON, or is nested too deeply.
 */
export function parseJson(text: string): unknown {
	if (isNestedTooDeeply(text)) return undefined;
	try {
		const isPlain = !/\d{16}/.test(text) && !text.includes(BLANK);
		return JSON.parse(isPlain ? text : text.replace(TOKENS, quoteInexact));
	} catch {
		return undefined;
	}
}

function isNestedTooDeeply(text: string): boolean {
	let open = 0;
	for (const character of text) {
		if (character === '[' || character === '{') open++;
		else if (character === ']' || character === '}') open--;
		if (open > MOST_OPEN_BRACKETS) return true;
	}
	return false;
}

function quoteInexact(token: string): string {
	if (token.startsWith('"')) return token;
	const number = Number(token);
	const isExact = /[.e]/i.test(token) ? Number.isFinite(number) : Number.isSafeInteger(number);
	return isExact ? token : `"${token}"`;
}

/**
 * Finds the ids and links of jobs in any text: JSON in a list, a string or a web page, JSON that is
 * incomplete or uses single quotes. An incomplete link does not count. Takes linear time.
 * @returns one job for each link, or its id if its link is incomplete.
 */
function salvageJobs(text: string): JobReference[] {
	const found = new Map<string, JobReference>();
	// JSON inside a string is escaped, perhaps several times.
	for (const [object] of text.replace(ESCAPES, '$1').matchAll(/[^{}]+/g)) {
		if (!object.includes('output_url')) continue;
		const id = ID.exec(object)?.slice(1).find(Boolean);
		const job = id === undefined ? {} : { id };
		const links = Array.from(object.matchAll(OUTPUT_URL), ([, value = '']) => value)
			.flatMap((value) => Array.from(value.matchAll(QUOTED_LINK), ([, , link = '']) => link))
			.filter(isLink);
		for (const output_url of links) found.set(output_url, { ...job, output_url });
		if (links.length === 0 && id !== undefined) found.set(id, job);
	}
	return [...found.values()];
}

function isLink(value: unknown): value is string {
	return typeof value === 'string' && isWebAddress(value);
}
