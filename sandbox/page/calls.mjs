import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { toCurl } from './curl.mjs';
import { button } from './elements.mjs';
import { clockTime, fileSize, nameOf, onlyDelayed, outcome, price } from './format.mjs';
import { tryOutView } from './tryOut.mjs';

/** @import { CallView } from '../service/control/callView.js' */
/** @import { Actions, Filter, Model } from './model.mjs' */

/** @type {[Filter, string][]} */
const filters = [
	['all', 'All'],
	['charged', 'Charged'],
	['refused', 'Not charged'],
];

/** @param {Model} model @param {Actions} actions */
export function callsView(model, actions) {
	const { calls, filter, loaded, state } = model;
	if (!loaded) return nothing;
	if (calls.length === 0) return html`${tryOutView(model, actions)} ${firstSteps(model, actions)}`;
	const filtered = calls.filter(
		({ job }) => filter === 'all' || (job !== null) === (filter === 'charged'),
	);
	const oldest = calls.at(-1)?.number ?? 1;
	return html`
		${tryOutView(model, actions)}
		<div class="bar">
			<h2>Calls <small>${state?.calls ?? calls.length}</small></h2>
			<div class="filters" role="group" aria-label="Show">
				${filters.map(
					([value, label]) =>
						html`<button
							type="button"
							aria-pressed=${filter === value}
							@click=${() => actions.show(value)}
						>
							${label}
						</button>`,
				)}
			</div>
		</div>
		<ol class="calls">
			${repeat(
				filtered,
				({ number }) => number,
				(call) => callView(call, model, actions),
			)}
		</ol>
		${filtered.length === 0 ? html`<p class="quiet">No such calls in this list.</p>` : nothing}
		${oldest > 1 ? button('Show older calls', () => actions.older(), 'older') : nothing}
	`;
}

/** @param {CallView} call @param {Model} model @param {Actions} actions */
function callView(call, { about, state }, actions) {
	const { number, at, tool, path, fields, files, outcome: what, fault, job } = call;
	const text = fields.find(([name]) => name === 'text')?.[1];
	const others = fields.filter(([name]) => name !== 'text');
	const colour = fault !== null && !onlyDelayed(call) ? 'fault' : what;
	const name = nameOf(about.tools, tool);
	const copy = () => actions.copy(toCurl(call, location.origin, state?.apiKey ?? ''), 'command');
	return html`<li class="call card" data-outcome=${colour} data-number=${number}>
		${pictureView(call)}
		<div class="about">
			<p class="line">
				<strong>${name ?? path}</strong> ${name === undefined
					? nothing
					: html`<code>${tool}</code>`}
				<span class="quiet">#${number} · <time datetime=${at}>${clockTime(at)}</time></span>
				<span class="price" data-charged=${job !== null}>${price(call)}</span>
			</p>
			${text === undefined ? nothing : html`<p class="prompt" dir="auto">${text}</p>`}
			${others.length + files.length === 0
				? nothing
				: html`<ul class="chips">
						${files.map(
							({ field, fileName, bytes }) =>
								html`<li>${field} <bdi>${fileName}</bdi> <span>${fileSize(bytes)}</span></li>`,
						)}
						${others.map(([name, value]) => html`<li><bdi>${name}</bdi> <bdi>${value}</bdi></li>`)}
					</ul>`}
			<p class="outcome">
				<bdi>${outcome(call)}</bdi>
				${button('Copy as curl', copy, 'link')}
			</p>
			${job?.note ? html`<p class="note">${job.note}</p>` : nothing}
		</div>
	</li>`;
}

/** @param {CallView} call */
function pictureView({ number, job, status, outcome: what }) {
	if (!job) {
		const label = status ?? (what === 'open' ? '…' : '✕');
		return html`<div class="picture none" aria-hidden="true">${label}</div>`;
	}
	const address = `/sandbox/jobs/${encodeURIComponent(job.id)}/picture`;
	return html`<a class="picture" href="${address}?size=full" target="_blank" rel="noreferrer">
		<img src=${address} alt="Image of call ${number}" loading="lazy" width="112" height="112" />
	</a>`;
}

/** @param {Model} model @param {Actions} actions */
function firstSteps({ state }, actions) {
	const key = state?.apiKey ?? '';
	const command = `curl -H 'api-key: ${key}' -F text='a red fox' ${location.origin}/api/text2img`;
	return html`<section class="card first">
		<h2>Waiting for the first call</h2>
		<p>Calls appear here as they arrive, with their images and prices.</p>
		<ol>
			<li>
				<strong>In n8n,</strong> create an <em>Image Generation API</em> credential with the Base
				URL and the API key from this page.
			</li>
			<li>
				<strong>Add the Image Generation node</strong> to a workflow, select the credential and run
				the workflow.
			</li>
		</ol>
		<p>Without n8n, use a terminal:</p>
		<div class="command">
			<pre tabindex="0"><code>${command}</code></pre>
			${button('Copy', () => actions.copy(command, 'command'))}
		</div>
	</section>`;
}
