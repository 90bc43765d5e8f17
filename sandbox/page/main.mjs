import { render } from 'lit-html';
import { callsView } from './calls.mjs';
import { controlsView } from './controls.mjs';
import { summary } from './format.mjs';
import { addOlder, emptyModel, merge } from './model.mjs';
import { listCalls, loadAbout, ofKey, send } from './sandbox.mjs';

/** @import { CallView } from '../service/control/callView.js' */
/** @import { Actions, State } from './model.mjs' */

const getElement = (/** @type {string} */ id) => {
	const element = document.getElementById(id);
	if (!element) throw new Error(`The page has no element with the id ${id}.`);
	return element;
};
const controls = getElement('controls');
const calls = getElement('calls');
const news = getElement('news');
const live = getElement('live');

const model = emptyModel(await loadAbout());
let drawing = 0;

/** Renders the page in the next animation frame, once for all changes until then. */
function draw() {
	drawing ||= requestAnimationFrame(() => {
		drawing = 0;
		render(controlsView(model, actions), controls);
		render(callsView(model, actions), calls);
	});
}

/** Shows a message for six seconds. @param {string} message */
function notify(message) {
	news.textContent = message;
	news.classList.add('shown');
	clearTimeout(hiding);
	hiding = window.setTimeout(() => news.classList.remove('shown'), 6000);
}
let hiding = 0;

/**
 * Announces the newest call to a screen reader, at most every three seconds.
 *
 * @param {CallView[]} changed
 */
function announce(changed) {
	const message = summary(changed, model.about.tools);
	if (!message || news.classList.contains('shown') || performance.now() < quietUntil) return;
	quietUntil = performance.now() + 3000;
	news.textContent = message;
}
let quietUntil = 0;

/** @type {Actions} */
const actions = {
	async change(method, path, body, message) {
		const refusal = await send(method, path === '/sandbox/reset' ? path : ofKey(path), body);
		notify(refusal ?? message);
		return refusal === undefined;
	},
	async copy(text, what) {
		try {
			await navigator.clipboard.writeText(text);
			notify(`Copied the ${what}.`);
		} catch {
			notify(`Your browser blocks copying from this page. Select the ${what} and copy it.`);
		}
	},
	async tryOut(tool, body) {
		const key = { 'api-key': model.state?.apiKey ?? '' };
		const refusal = await send('POST', `/api/${tool}`, body, key);
		if (refusal !== undefined) notify(refusal);
	},
	choose(tool) {
		model.tool = tool;
		draw();
	},
	show(filter) {
		model.filter = filter;
		draw();
	},
	async older() {
		addOlder(model, await listCalls(model.calls.at(-1)?.number));
		draw();
	},
};

async function load() {
	model.calls = await listCalls();
	model.loaded = true;
	draw();
}

const source = new EventSource(ofKey('/sandbox/events'));
source.addEventListener('open', () => {
	live.textContent = 'Live';
	live.dataset['state'] = 'live';
	void load();
});
source.addEventListener('error', () => {
	live.textContent = 'Not connected. Is the sandbox running?';
	live.dataset['state'] = 'lost';
});
source.addEventListener('state', (event) => {
	/** @type {unknown} */
	const data = JSON.parse(String(event.data));
	const state = /** @type {State} */ (data);
	const wasReset = model.state !== undefined && state.calls < model.state.calls;
	model.state = state;
	if (wasReset) void load();
	draw();
});
source.addEventListener('calls', (event) => {
	/** @type {unknown} */
	const data = JSON.parse(String(event.data));
	const changed = /** @type {CallView[]} */ (data);
	merge(model, changed);
	announce(changed);
	draw();
});

draw();
