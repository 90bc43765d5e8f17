import { render } from '/sandbox/lit-html/lit-html.js';
import { controlsView } from './controls.mjs';
import { requestsView } from './requests.mjs';

/** @import { StateView } from '../service/views.js' */
/** @import { AboutView } from '../service/control.js' */

/**
 * Sends a request to the control API and says what happened.
 *
 * @callback Change
 * @param {string} route method and path, such as `POST /sandbox/reset`
 * @param {string} message shown if it is accepted
 * @param {object} [body]
 * @returns {Promise<void>}
 */

/** How often the page asks for changes, in milliseconds. */
const interval = 500;

const element = (/** @type {string} */ id) =>
	/** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} path @returns {Promise<unknown>} */
async function get(path) {
	const response = await fetch(path);
	/** @type {unknown} */
	const answer = await response.json();
	return answer;
}

const { faults } = /** @type {AboutView} */ (await get('/sandbox'));
let hiding = 0;

/** Shows a message for six seconds. @param {string} message */
function notify(message) {
	const news = element('news');
	news.textContent = message;
	news.classList.add('shown');
	clearTimeout(hiding);
	hiding = window.setTimeout(() => news.classList.remove('shown'), 6000);
}

/** @type {Change} */
async function change(route, message, body) {
	const [method = '', path = ''] = route.split(' ');
	const response = await fetch(path, { method, ...(body && { body: JSON.stringify(body) }) });
	/** @type {unknown} */
	const answer = await response.json();
	notify(response.ok ? message : /** @type {{ err: string }} */ (answer).err);
	await refresh();
}

/** @param {string} state @param {string} text */
function showConnection(state, text) {
	const live = element('live');
	live.dataset['state'] = state;
	live.textContent = text;
}

async function refresh() {
	const state = /** @type {StateView} */ (await get('/sandbox/state'));
	render(controlsView(state, faults, change), element('controls'));
	render(requestsView(state), element('requests'));
	showConnection('live', 'Live');
}

async function follow() {
	await refresh().catch(() => showConnection('lost', 'Not connected. Is the sandbox running?'));
	window.setTimeout(() => void follow(), interval);
}

await follow();
