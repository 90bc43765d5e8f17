/** @import { RequestView } from '../service/views.js' */

const locale = 'en';

/** @param {number} cents */
export function dollars(cents) {
	return `$${(cents / 100).toFixed(2)}`;
}

/** @param {RequestView} request */
export function price({ charge }) {
	if (!charge) return 'not charged';
	return charge.source === 'allowance' ? '1 generation' : dollars(charge.cents);
}

/** @param {string} month such as 2026-11 */
export function monthName(month) {
	const options = /** @type {const} */ ({ month: 'long', year: 'numeric', timeZone: 'UTC' });
	return new Intl.DateTimeFormat(locale, options).format(new Date(`${month}-01T00:00:00Z`));
}

/** @param {string} at ISO 8601 */
export function clockTime(at) {
	const options = /** @type {const} */ ({ timeStyle: 'medium', hourCycle: 'h23' });
	return new Intl.DateTimeFormat(locale, options).format(new Date(at));
}

/** @param {number} bytes */
export function fileSize(bytes) {
	return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Describes what came of a request in a sentence. @param {RequestView} request */
export function outcome({ status, isOver, fault, refusal, charge }) {
	const parts = [];
	if (charge) parts.push('charged');
	if (fault !== null) parts.push(`fault ${fault}`);
	if (status !== null) parts.push(`answered ${status}`);
	else parts.push(isOver ? 'no response' : 'in progress …');
	const sentence = parts.join(', ');
	return `${sentence[0]?.toUpperCase()}${sentence.slice(1)}${refusal === null ? '' : `: ${refusal}`}`;
}

/**
 * The case of a request, which decides its colour.
 *
 * @param {RequestView} request
 * @returns {'fault' | 'charged' | 'refused' | 'fine'}
 */
export function caseOf({ fault, charge, refusal }) {
	if (fault !== null) return 'fault';
	if (charge) return 'charged';
	return refusal === null ? 'fine' : 'refused';
}
