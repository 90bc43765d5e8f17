import { html, nothing } from 'lit-html';
import { button, onSubmit } from './elements.mjs';

/** @import { Actions, Model, State } from './model.mjs' */

/** The faults that workflows run into most often. */
const common = [
	{ label: '429 twice', rule: { fault: 'rate-limit', times: 2 } },
	{ label: '503 once', rule: { fault: '5xx-before' } },
	{ label: '5 s delay', rule: { fault: 'delay', delayMs: 5000 } },
	{ label: 'No response', rule: { fault: 'hang' } },
	{ label: 'Charged, then 500', rule: { fault: '5xx-after' } },
	{ label: 'Charged, then reset', rule: { fault: 'reset-after' } },
	{ label: 'Download fails', rule: { fault: 'download-500' } },
	{ label: 'Download truncated', rule: { fault: 'truncated' } },
];

/** @param {State} state */
export function armedView({ faults }) {
	if (faults.length === 0) return html`<span class="badge">none armed</span>`;
	return html`<span class="badge bad">${faults.length} armed</span>`;
}

/** @param {Model} model @param {State} state @param {Actions} actions */
export function faultsView({ about }, { faults: armed }, actions) {
	const known = about.faults;
	const arm = (/** @type {object} */ rule, /** @type {string} */ label) =>
		actions.change('POST', '/sandbox/faults', rule, `Armed: ${label}.`);
	const armOther = onSubmit((form) => {
		const { fault = '', on = '', times = '1' } = Object.fromEntries(form);
		const rule = { fault, times: Number(times), ...(on !== '' && { on }) };
		void arm(rule, typeof fault === 'string' ? fault : fault.name);
	});
	const disarm = () =>
		actions.change('DELETE', '/sandbox/faults', undefined, 'Disarmed all faults.');
	return html`
		${armed.length === 0
			? html`<p class="quiet">No fault is armed. Choose what the next call runs into:</p>`
			: html`<ul class="armed">
						${armed.map(
							({ fault, on, times, after, when }) =>
								html`<li>
									<code>${fault}</code>
									<span>
										${on === 'any-tool' ? 'any tool' : on},
										${times === 'always' ? 'always' : `${times} ×`}${after > 0
											? `, after ${after} more`
											: nothing}${when === undefined ? nothing : html`, if <bdi>“${when}”</bdi>`}
									</span>
								</li>`,
						)}
					</ul>
					${button('Disarm all', disarm)}`}
		<div class="buttons grid">
			${common.map(
				({ label, rule }) =>
					html`<button
						type="button"
						title=${descriptionOf(known, rule.fault)}
						@click=${() => arm(rule, label)}
					>
						${label}
					</button>`,
			)}
		</div>
		<details class="inner">
			<summary>All ${known.length} faults</summary>
			<form @submit=${armOther}>
				<label>
					Fault
					<select name="fault">
						${known.map(
							({ name, words }) => html`<option value=${name} title=${words}>${name}</option>`,
						)}
					</select>
				</label>
				<div class="fields">
					<label>
						Applies to
						<select name="on">
							<option value="">default</option>
							${about.tools.map(
								({ id, name }) => html`<option value=${id}>${name} (${id})</option>`,
							)}
							<option>download</option>
						</select>
					</label>
					<label>Times <input name="times" type="number" min="1" value="1" required /></label>
				</div>
				<button type="submit">Arm</button>
			</form>
		</details>
	`;
}

/** @param {Model['about']['faults']} known @param {string} fault */
function descriptionOf(known, fault) {
	return known.find(({ name }) => name === fault)?.words ?? '';
}
