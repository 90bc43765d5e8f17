import { html, nothing } from 'lit-html';
import { button, onChoice, onSubmit } from './elements.mjs';
import { armedView, faultsView } from './faults.mjs';
import { counted, dollars, monthName } from './format.mjs';

/** @import { Actions, Model, State } from './model.mjs' */

/** On a phone, the sections that people seldom use start closed. */
const wide = matchMedia('(min-width: 60rem)').matches;

/** @param {Model} model @param {Actions} actions */
export function controlsView(model, actions) {
	const { state } = model;
	if (!state) return html`<p class="quiet">Connecting to the sandbox …</p>`;
	return html`
		${connectView(state, actions)} ${accountView(state, actions)}
		<details class="card" ?open=${wide}>
			<summary>
				<h2>Faults</h2>
				${armedView(state)}
			</summary>
			${faultsView(model, state, actions)}
		</details>
		<details class="card" ?open=${wide}>
			<summary>
				<h2>Rate limit</h2>
				${limitBadge(state)}
			</summary>
			${limitView(state, actions)}
		</details>
	`;
}

/** @param {State} state @param {Actions} actions */
function connectView({ apiKey, apiKeys }, actions) {
	const choose = onChoice((key) => {
		location.search = `key=${encodeURIComponent(key)}`;
	});
	return html`<section class="card">
		<h2>Connect</h2>
		<dl class="copies">
			${copyRow('Base URL', location.origin, actions)} ${copyRow('API key', apiKey, actions)}
		</dl>
		${apiKeys.length === 1
			? nothing
			: html`<label>
					Show the account of
					<select @change=${choose}>
						${apiKeys.map((key) => html`<option ?selected=${key === apiKey}>${key}</option>`)}
					</select>
				</label>`}
	</section>`;
}

/** @param {string} name @param {string} value @param {Actions} actions */
function copyRow(name, value, actions) {
	return html`<div>
		<dt>${name}</dt>
		<dd><code>${value}</code></dd>
		<button type="button" aria-label="Copy ${name}" @click=${() => actions.copy(value, name)}>
			Copy
		</button>
	</div>`;
}

/** @param {State} state @param {Actions} actions */
function accountView({ account, charged }, actions) {
	const { month, allowance, allowanceLeft, walletCentsLeft, prices } = account;
	/** @param {string} path @param {string} message @param {object} [body] */
	const post = (path, message, body) => () =>
		actions.change('POST', `/sandbox/${path}`, body, message);
	const startOver = () =>
		confirm('Delete all calls and images, and reset the account, faults and rate limit?') &&
		post('reset', 'Started over.')();
	return html`<section class="card">
		<h2>Account <small>${monthName(month)}</small></h2>
		<div class="figures">
			<div>
				<strong data-figure="allowance">${allowanceLeft}</strong>
				<span>of ${allowance} left</span>
			</div>
			<div>
				<strong data-figure="wallet">${dollars(walletCentsLeft)}</strong>
				<span>in the wallet</span>
			</div>
		</div>
		<meter
			aria-label="Allowance left"
			min="0"
			max=${Math.max(1, allowance)}
			.value=${allowanceLeft}
		></meter>
		<p class="quiet">${counted(charged, 'image', 'images')} charged so far.</p>
		<div class="buttons">
			${button('Top up $5', post('account/top-up', 'Added $5.00 to the wallet.', { cents: 500 }))}
			${button('Next month', post('account/next-month', 'Started the next month.'))}
			${button(
				'Use everything up',
				post('account/use-up', 'The allowance and the wallet are empty.'),
			)}
			${button('Start over', startOver, 'danger')}
		</div>
		<details class="inner">
			<summary>Wallet prices</summary>
			<table>
				<tbody>
					${Object.entries(prices).map(
						([name, cents]) =>
							html`<tr>
								<th scope="row">${name}</th>
								<td>${dollars(cents)}</td>
							</tr>`,
					)}
				</tbody>
			</table>
		</details>
	</section>`;
}

/** @param {State} state */
function limitBadge({ rateLimit: { limit, refused } }) {
	if (!limit) return html`<span class="badge">off</span>`;
	return html`<span class="badge">${limit.calls} in ${limit.seconds} s</span> ${refused === 0
			? nothing
			: html`<span class="badge bad">${refused} refused</span>`}`;
}

/** @param {State} state @param {Actions} actions */
function limitView({ rateLimit: { limit } }, actions) {
	const set = onSubmit((form) => {
		const calls = Number(form.get('calls'));
		const seconds = Number(form.get('seconds'));
		const body = { calls, seconds, retryAfter: form.has('retryAfter') };
		const message = `The rate limit is ${calls} calls in ${seconds} s.`;
		void actions.change('PUT', '/sandbox/rate-limit', body, message);
	});
	return html`<form @submit=${set}>
		<p class="quiet">Allows this many calls at once, then one at a time at an even pace.</p>
		<div class="fields">
			<label
				>Calls <input name="calls" type="number" min="1" required .value=${limit?.calls ?? 10}
			/></label>
			<label>
				Seconds
				<input
					name="seconds"
					type="number"
					min="0.1"
					step="any"
					required
					.value=${limit?.seconds ?? 60}
				/>
			</label>
		</div>
		<label class="check">
			<input name="retryAfter" type="checkbox" ?checked=${limit?.retryAfter ?? true} />
			Send Retry-After
		</label>
		<div class="buttons">
			<button type="submit">Set limit</button>
			<button
				type="button"
				?disabled=${!limit}
				@click=${() =>
					actions.change('DELETE', '/sandbox/rate-limit', undefined, 'The rate limit is off.')}
			>
				Turn off
			</button>
		</div>
	</form>`;
}
