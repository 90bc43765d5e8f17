/** @import { RequestView, StateView } from '../service/views.js' */
import { repeat } from '/sandbox/lit-html/directives/repeat.js';
import { html, nothing } from '/sandbox/lit-html/lit-html.js';
import { caseOf, clockTime, fileSize, outcome, price } from './format.mjs';

/** @param {StateView} state */
export function requestsView({ apiKey, requests }) {
	if (requests.length === 0) return firstSteps(apiKey);
	return html`<h2>Latest requests</h2>
		<ol class="requests">
			${repeat(
				requests,
				({ number }) => number,
				(request) => (request.method === 'POST' ? callView(request) : downloadView(request)),
			)}
		</ol>`;
}

/** @param {RequestView} request */
function callView(request) {
	const { number, path, fields, files, charge } = request;
	const text = fields.find(([name]) => name === 'text')?.[1];
	const others = fields.filter(([name]) => name !== 'text');
	return html`<li class="request card" data-case=${caseOf(request)} data-number=${number}>
		${pictureView(request)}
		<div class="about">
			<p class="line">
				<strong><bdi>${path.replace('/api/', '')}</bdi></strong>
				${whenView(request)}
				<span class="price">${price(request)}</span>
			</p>
			${text === undefined ? nothing : html`<p class="prompt" dir="auto">${text}</p>`}
			<ul class="chips">
				${files.map(
					({ field, fileName, bytes }) =>
						html`<li><bdi>${field}</bdi> <bdi>${fileName}</bdi> ${fileSize(bytes)}</li>`,
				)}
				${others.map(([name, value]) => html`<li><bdi>${name}</bdi> <bdi>${value}</bdi></li>`)}
			</ul>
			<p class="outcome"><bdi>${outcome(request)}</bdi></p>
			${charge?.note ? html`<p class="note">${charge.note}</p>` : nothing}
		</div>
	</li>`;
}

/** @param {RequestView} request */
function downloadView(request) {
	const { number, method, path } = request;
	return html`<li class="request download card" data-case=${caseOf(request)} data-number=${number}>
		<p class="line"><bdi>${method} ${path}</bdi> ${whenView(request)}</p>
		<p class="outcome"><bdi>${outcome(request)}</bdi></p>
	</li>`;
}

/** @param {RequestView} request */
function whenView({ number, at }) {
	return html`<span class="quiet">#${number} · <time datetime=${at}>${clockTime(at)}</time></span>`;
}

/** @param {RequestView} request */
function pictureView({ number, charge, status }) {
	if (!charge) return html`<div class="picture none" aria-hidden="true">${status ?? '…'}</div>`;
	const address = `/sandbox/jobs/${charge.jobId}/picture`;
	return html`<a class="picture" href=${address} target="_blank" rel="noreferrer">
		<img src=${address} alt="Image of call ${number}" loading="lazy" width="112" height="112" />
	</a>`;
}

/** @param {string} key */
function firstSteps(key) {
	return html`<section class="card first">
		<h2>Waiting for the first call</h2>
		<p>Calls appear here as they arrive, with their images and prices.</p>
		<p>
			<strong>In n8n,</strong> create an <em>Image Generation API</em> credential with the Base URL
			and the API key from this page, and run a workflow with the Image Generation node.
		</p>
		<p>Without n8n, use a terminal:</p>
		<pre
			tabindex="0"
		><code>curl -H 'api-key: ${key}' -F text='a red fox' ${location.origin}/api/text2img</code></pre>
	</section>`;
}
