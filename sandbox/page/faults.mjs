import { html, nothing } from 'lit-html';

/** @import { Actions, Model, State } from './model.mjs' */

/** The faults that a workflow meets most often. */
const common = [
	{ label: '429 twice', rule: { fault: 'rate-limit', times: 2 } },
	{ label: '503 once', rule: { fault: '5xx-before' } },
	{ label: 'Slow by 5 s', rule: { fault: 'delay', delayMs: 5000 } },
	{ label: 'No answer', rule: { fault: 'hang' } },
	{ label: 'Charged, then 500', rule: { fault: '5xx-after' } },
	{ label: 'Charged, cut off', rule: { fault: 'reset-after' } },
	{ label: 'Download fails', rule: { fault: 'download-500' } },
	{ label: 'Download cut off', rule: { fault: 'truncated' } },
];

/** @param {State} state */
export function armedView({ faults }) {
	if (faults.length === 0) return html`<span class="badge">none armed</span>`;
	return html`<span class="badge bad">${faults.length} armed</span>`;
}

/** @param {Model} model @param {State} state @param {Actions} actions */
export function faultsView({ faults: known }, { faults: armed }, actions) {
	const arm = (/** @type {object} */ rule, /** @type {string} */ label) =>
		actions.change('POST', '/sandbox/faults', rule, `Armed: ${label}.`);
	const armOther = (/** @type {SubmitEvent} */ event) => {
		event.preventDefault();
		const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
		const { fault = '', on = '', times = '1' } = Object.fromEntries(form);
		const rule = { fault, times: Number(times), ...(on !== '' && { on }) };
		void arm(rule, typeof fault === 'string' ? fault : fault.name);
	};
	return html`
		${armed.length === 0
			? html`<p class="quiet">
					The next calls are answered as they should be. Arm what is to go wrong:
				</p>`
			: html`<ul class="armed">
						${armed.map(
							({ fault, on, times, after = 0, when }) =>
								html`<li>
									<code>${fault}</code>
									<span>
										${on === 'any-tool' ? 'any tool' : on},
										${times === 'always' ? 'always' : `${times ?? 1} ×`}${after > 0
											? `, after ${after} more`
											: nothing}${when === undefined ? nothing : html`, if <bdi>“${when}”</bdi>`}
									</span>
								</li>`,
						)}
					</ul>
					<button
						type="button"
						@click=${() =>
							actions.change('DELETE', '/sandbox/faults', undefined, 'No fault is armed.')}
					>
						Disarm all
					</button>`}
		<div class="buttons grid">
			${common.map(
				({ label, rule }) =>
					html`<button
						type="button"
						title=${words(known, rule.fault)}
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
							({ name, words: does }) => html`<option value=${name} title=${does}>${name}</option>`,
						)}
					</select>
				</label>
				<div class="fields">
					<label>
						Strikes
						<select name="on">
							<option value="">usual</option>
							<option>text2img</option>
							<option>background-remover</option>
							<option>image-editor</option>
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

/** @param {Model['faults']} known @param {string} fault */
function words(known, fault) {
	return known.find(({ name }) => name === fault)?.words ?? '';
}
