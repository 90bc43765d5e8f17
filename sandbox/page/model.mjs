/** @import { CallView } from '../service/control/callView.js' */
/** @import { AboutView, StateView } from '../service/control/views.js' */

/** How many calls to keep on the page as new ones arrive. Older ones are loaded on demand. */
const maxCalls = 200;

/** @typedef {StateView} State */

/** @typedef {AboutView} About */

/** @typedef {About['tools'][number]} ToolInfo */

/** @typedef {'all' | 'charged' | 'refused'} Filter */

/**
 * What the page shows.
 *
 * @typedef {object} Model
 * @property {State | undefined} state
 * @property {CallView[]} calls Newest first.
 * @property {boolean} loaded
 * @property {Filter} filter
 * @property {string} tool The tool that the form calls.
 * @property {About} about
 */

/**
 * What a user can do on the page.
 *
 * @typedef {object} Actions
 * @property {(method: string, path: string, body: unknown, message: string) => Promise<boolean>} change
 * @property {(text: string, what: string) => Promise<void>} copy
 * @property {(tool: string, body: FormData) => Promise<void>} tryOut
 * @property {(tool: string) => void} choose
 * @property {(filter: Filter) => void} show
 * @property {() => Promise<void>} older
 */

/** @param {About} about @returns {Model} */
export function emptyModel(about) {
	return {
		state: undefined,
		calls: [],
		loaded: false,
		filter: 'all',
		tool: 'text2img',
		about,
	};
}

/**
 * Adds new calls and updates changed ones.
 *
 * @param {Model} model @param {CallView[]} changed
 */
export function merge(model, changed) {
	const oldest = model.calls.at(-1)?.number ?? 0;
	const byNumber = new Map(model.calls.map((call) => [call.number, call]));
	for (const call of changed) {
		if (byNumber.has(call.number) || call.number > oldest) byNumber.set(call.number, call);
	}
	model.calls = [...byNumber.values()]
		.sort((one, other) => other.number - one.number)
		.slice(0, Math.max(maxCalls, model.calls.length));
}

/** @param {Model} model @param {CallView[]} calls newest first */
export function addOlder(model, calls) {
	const known = new Set(model.calls.map(({ number }) => number));
	model.calls = [...model.calls, ...calls.filter(({ number }) => !known.has(number))];
}
