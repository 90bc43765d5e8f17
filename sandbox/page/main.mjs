import { render } from 'lit-html';
import { callsView } from './calls.mjs';
import { controlsView } from './controls.mjs';
import { summary } from './format.mjs';
import { addOlder, emptyModel, merge, startOver } from './model.mjs';
import { ask, listCalls, sandboxFaults } from './sandbox.mjs';

/** @import { CallView } from '../service/callView.js' */
/** @import { Actions, State } from './model.mjs' */

const place = (/** @type {string} */ id) => {
	const element = document.getElementById(id);
	if (!element) throw new Error(`The page has no ${id}`);
	return element;
};
const controls = place('controls');
const calls = place('calls');
const news = place('news');
const live = place('live');

const model = emptyModel();
let drawing = 0;

/** Draws once for everything that changed since the last picture on the screen. */
function draw() {
	drawing ||= requestAnimationFrame(() => {
		drawing = 0;
		render(controlsView(model, actions), controls);
		render(callsView(model, actions), calls);
	});
}

/** @param {string} words */
function say(words) {
	news.textContent = words;
	news.classList.add('shown');
	clearTimeout(hiding);
	hiding = window.setTimeout(() => news.classList.remove('shown'), 6000);
}
let hiding = 0;

/**
 * Tells a screen reader of the newest call, and of a flood of calls not each one.
 *
 * @param {CallView[]} changed
 */
function announce(changed) {
	const words = summary(changed);
	if (!words || news.classList.contains('shown') || performance.now() < quietUntil) return;
	quietUntil = performance.now() + 3000;
	news.textContent = words;
}
let quietUntil = 0;

/** @type {Actions} */
const actions = {
	async change(method, path, body, words) {
		const refusal = await ask(method, path, body);
		say(refusal ?? words);
		return refusal === undefined;
	},
	async copy(text, what) {
		try {
			await navigator.clipboard.writeText(text);
			say(`${what} copied.`);
		} catch {
			say(`Your browser does not let the page copy. Select the ${what} and copy it yourself.`);
		}
	},
	async tryOut() {
		const refusal = await ask(
			'POST',
			'/api/text2img',
			{ text: 'a red fox in a forest at sunset' },
			{
				'api-key': model.state?.apiKey ?? '',
			},
		);
		if (refusal !== undefined) say(refusal);
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
	startOver(model, await listCalls());
	draw();
}

const source = new EventSource('/sandbox/events');
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

model.faults = await sandboxFaults();
draw();
