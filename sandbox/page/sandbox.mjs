/** @import { CallView } from '../service/control/callView.js' */
/** @import { About } from './model.mjs' */

/** How many calls to load at a time. */
const pageSize = 50;

/**
 * Adds the key that the page's own address names: `/?key=two` shows the account of `two`.
 *
 * @param {string} path
 */
export function ofKey(path) {
	return path + location.search;
}

/**
 * Sends a request to the sandbox.
 *
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 * @returns {Promise<string | undefined>} the error message if it was refused
 */
export async function send(method, path, body, headers = {}) {
	try {
		const response = await fetch(path, {
			method,
			...(body instanceof FormData
				? { headers, body }
				: {
						headers: { 'content-type': 'application/json', ...headers },
						...(body !== undefined && { body: JSON.stringify(body) }),
					}),
		});
		if (response.ok) return undefined;
		/** @type {unknown} */
		const answer = await response.json();
		const { err, status } = /** @type {{ err?: string, status?: string }} */ (answer);
		return err ?? status;
	} catch {
		return 'The sandbox does not respond. Is it running?';
	}
}

/**
 * @param {number} [before]
 * @returns {Promise<CallView[]>} newest first
 */
export async function listCalls(before) {
	const query = before === undefined ? '' : `&before=${before}`;
	const response = await fetch(`/sandbox/calls?count=${pageSize}${query}`);
	/** @type {unknown} */
	const calls = await response.json();
	return /** @type {CallView[]} */ (calls);
}

/** @returns {Promise<About>} */
export async function loadAbout() {
	const response = await fetch('/sandbox');
	/** @type {unknown} */
	const about = await response.json();
	return /** @type {About} */ (about);
}
