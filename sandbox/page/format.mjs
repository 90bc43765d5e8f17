/** @import { CallView } from '../service/control/callView.js' */
/** @import { ToolInfo } from './model.mjs' */

const locale = 'en';

/**
 * The n8n node's name for a tool; undefined if there is no such tool.
 *
 * @param {readonly ToolInfo[]} tools @param {string} id
 */
export function nameOf(tools, id) {
	return tools.find((tool) => tool.id === id)?.name;
}

/**
 * Tells whether the call went as it should: a fault that only delays it does no harm.
 *
 * @param {CallView} call
 */
export function onlyDelayed({ fault, outcome: what, status }) {
	return fault?.startsWith('delay') === true && status !== null && what !== 'fault';
}

/** @param {number} cents */
export function dollars(cents) {
	return `$${(cents / 100).toFixed(2)}`;
}

/** @param {CallView} call */
export function price({ job }) {
	if (!job) return 'not charged';
	return job.source === 'allowance' ? '1 generation' : dollars(job.cents);
}

/** @param {string} month such as 2026-11 */
export function monthName(month) {
	const options = /** @type {const} */ ({ month: 'long', year: 'numeric', timeZone: 'UTC' });
	return new Intl.DateTimeFormat(locale, options).format(new Date(`${month}-01T00:00:00Z`));
}

/** @param {string} at ISO 8601 */
export function clockTime(at) {
	return new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' }).format(
		new Date(at),
	);
}

/** @param {number} count @param {string} one @param {string} many */
export function counted(count, one, many) {
	return `${count} ${count === 1 ? one : many}`;
}

/** @param {number} bytes */
export function fileSize(bytes) {
	if (bytes < 1000) return `${bytes} bytes`;
	return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * Describes the outcome of a call in a sentence.
 *
 * @param {CallView} call
 */
export function outcome(call) {
	const { outcome: what, status, refusal, fault, downloads, downloadFaults, job } = call;
	const struck = fault === null ? '' : `Fault ${fault}`;
	if (what === 'refused') return `${status ?? 'No response'}: ${refusal ?? ''}`;
	if (what === 'open') return struck ? `${struck} in progress …` : 'Working …';
	if (what === 'left') return 'The client disconnected before the response.';
	const answered = status === null ? 'the connection was cut' : `answered ${status}`;
	if (what === 'fault') return `${struck}: ${answered}.`;
	const files = downloads === 0 ? 'not downloaded yet' : `downloaded ${times(downloads)}`;
	const faults =
		downloadFaults.length === 0 ? '' : `; download faults: ${downloadFaults.join(', ')}`;
	const delayed = onlyDelayed(call) ? ' after a delay' : '';
	const charged =
		struck && !delayed
			? `Charged, then fault ${fault}: ${answered}`
			: `Charged, ${answered}${delayed}`;
	return job ? `${charged}; ${files}${faults}.` : charged;
}

/** @param {number} count */
function times(count) {
	return count === 1 ? 'once' : `${count} times`;
}

/**
 * Describes the newest of the changed calls, for a screen reader.
 *
 * @param {CallView[]} changed @param {readonly ToolInfo[]} tools
 */
export function summary(changed, tools) {
	const done = changed.filter(({ outcome: what }) => what !== 'open');
	const newest = done.reduce(
		(/** @type {CallView | undefined} */ best, call) =>
			best && best.number > call.number ? best : call,
		undefined,
	);
	return (
		newest &&
		`Call ${newest.number}, ${nameOf(tools, newest.tool) ?? newest.path}: ${outcome(newest)}`
	);
}
