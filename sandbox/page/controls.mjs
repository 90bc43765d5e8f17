import { html, nothing } from '/sandbox/lit-html/lit-html.js';
import { dollars, monthName } from './format.mjs';

/** @import { AboutView } from '../service/control.js' */
/** @import { StateView } from '../service/views.js' */
/** @import { Change } from './main.mjs' */

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

/** @param {StateView} state @param {AboutView['faults']} known @param {Change} change */
export function controlsView(state, known, change) {
	return html`
		<section class="card">
			<h2>Connect</h2>
			<dl>
				<dt>Base URL</dt>
				<dd><code>${location.origin}</code></dd>
				<dt>API key</dt>
				<dd><code>${state.apiKey}</code></dd>
			</dl>
		</section>
		${accountView(state, change)} ${faultsView(state, known, change)} ${limitView(state, change)}
	`;
}

/** @param {StateView} state @param {Change} change */
function accountView({ account }, change) {
	const { month, allowance, allowanceLeft, walletCentsLeft, charges, prices } = account;
	const startOver = () =>
		confirm('Delete all requests and images, and reset the account, faults and rate limit?') &&
		change('POST /sandbox/reset', 'Started over.');
	return html`<section class="card">
		<h2>Account <small>${monthName(month)}</small></h2>
		<div class="figures">
			<div><strong data-figure="allowance">${allowanceLeft}</strong> of ${allowance} left</div>
			<div><strong data-figure="wallet">${dollars(walletCentsLeft)}</strong> in the wallet</div>
		</div>
		<p class="quiet">
			Images charged so far: ${charges}. From the wallet:
			${Object.entries(prices)
				.map(([name, cents]) => `${name} ${dollars(cents)}`)
				.join(', ')}.
		</p>
		<div class="buttons">
			${button('Top up $5', () =>
				change('POST /sandbox/account/top-up', 'Added $5.00 to the wallet.', { cents: 500 }),
			)}
			${button('Next month', () =>
				change('POST /sandbox/account/next-month', 'Started the next month.'),
			)}
			${button('Use everything up', () =>
				change('POST /sandbox/account/use-up', 'The allowance and the wallet are empty.'),
			)}
			${button('Start over', startOver)}
		</div>
	</section>`;
}

/** @param {StateView} state @param {AboutView['faults']} known @param {Change} change */
function faultsView({ faults, tools }, known, change) {
	const arm = (/** @type {object} */ rule, /** @type {string} */ label) =>
		change('POST /sandbox/faults', `Armed: ${label}.`, rule);
	const armOther = onSubmit((form) => {
		const { fault, on, times } = /** @type {Record<string, string>} */ (Object.fromEntries(form));
		return arm({ fault, times: Number(times), ...(on && { on }) }, fault ?? '');
	});
	return html`<section class="card">
		<h2>Faults</h2>
		<ul class="armed">
			${faults.length === 0 ? html`<li>None is armed.</li>` : nothing}
			${faults.map(
				({ fault, on, times, after, when }) =>
					html`<li>
						<code>${fault}</code> ${on}, ${times ?? '∞'} ×${after ? `, after ${after} more` : ''}
						${when === undefined ? nothing : html`, if <bdi>“${when}”</bdi>`}
					</li>`,
			)}
		</ul>
		<div class="buttons">
			${common.map(({ label, rule }) => button(label, () => arm(rule, label)))}
			${button('Disarm all', () => change('DELETE /sandbox/faults', 'Disarmed all faults.'))}
		</div>
		<form @submit=${armOther}>
			<label>
				Any fault
				<select name="fault">
					${known.map(
						({ name, description }) =>
							html`<option value=${name}>${name}: ${description.replaceAll('`', '')}</option>`,
					)}
				</select>
			</label>
			<label>
				Applies to
				<select name="on">
					<option value="">default</option>
					${[...tools, 'download'].map((target) => html`<option>${target}</option>`)}
				</select>
			</label>
			<label>Times <input name="times" type="number" min="1" value="1" required /></label>
			<button type="submit">Arm</button>
		</form>
	</section>`;
}

/** @param {StateView} state @param {Change} change */
function limitView({ rateLimit: { limit, refused } }, change) {
	const set = onSubmit((form) => {
		const calls = Number(form.get('calls'));
		const seconds = Number(form.get('seconds'));
		const body = { calls, seconds, retryAfter: form.has('retryAfter') };
		return change('PUT /sandbox/rate-limit', `Set to ${calls} calls in ${seconds} s.`, body);
	});
	return html`<section class="card">
		<h2>Rate limit</h2>
		<p class="limit">
			${limit ? `${limit.calls} calls in ${limit.seconds} s, ${refused} refused` : 'There is none.'}
		</p>
		<form @submit=${set}>
			<label>Calls <input name="calls" type="number" min="1" value="10" required /></label>
			<label>
				Seconds <input name="seconds" type="number" min="0.1" step="any" value="60" required />
			</label>
			<label class="check">
				<input name="retryAfter" type="checkbox" checked /> Send Retry-After
			</label>
			<button type="submit">Set limit</button>
			${button('Turn off', () => change('DELETE /sandbox/rate-limit', 'The rate limit is off.'))}
		</form>
	</section>`;
}

/** @param {string} label @param {() => unknown} action */
function button(label, action) {
	return html`<button type="button" @click=${action}>${label}</button>`;
}

/** Handles a submitted form without leaving the page. @param {(form: FormData) => unknown} handle */
function onSubmit(handle) {
	return (/** @type {SubmitEvent} */ event) => {
		event.preventDefault();
		handle(new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)));
	};
}
