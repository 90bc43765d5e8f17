/** @import { CallView } from '../service/callView.js' */
/** @import { FaultInfo } from './model.mjs' */

/** So many calls are loaded at a time. */
const pageSize = 50;

/**
 * Asks the sandbox for a change.
 *
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 * @returns {Promise<string | undefined>} what it says against it
 */
export async function ask(method, path, body, headers = {}) {
	try {
		const response = await fetch(path, {
			method,
			headers: { 'content-type': 'application/json', ...headers },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		if (response.ok) return undefined;
		const { err, status } = /** @type {{ err?: string, status?: string }} */ (
			await response.json()
		);
		return err ?? status;
	} catch {
		return 'The sandbox does not answer. Is it running?';
	}
}

/**
 * @param {number} [before]
 * @returns {Promise<CallView[]>} newest first
 */
export async function listCalls(before) {
	const query = before === undefined ? '' : `&before=${before}`;
	const response = await fetch(`/sandbox/calls?count=${pageSize}${query}`);
	return /** @type {CallView[]} */ (await response.json());
}

/** @returns {Promise<FaultInfo[]>} */
export async function sandboxFaults() {
	const response = await fetch('/sandbox');
	const { faults } = /** @type {{ faults: FaultInfo[] }} */ (await response.json());
	return faults;
}
