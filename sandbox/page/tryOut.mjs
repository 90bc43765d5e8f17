import { html, nothing } from 'lit-html';
import { onChoice, onSubmit } from './elements.mjs';
import { toolNames } from './format.mjs';

/** @import { Actions, Model } from './model.mjs' */

/** The recommended sizes (specification 4.1): for standard, and for the better qualities. */
const shapes = [
	{ name: 'Square', standard: '512x512', better: '1024x1024' },
	{ name: 'Landscape', standard: '1024x720', better: '1152x896' },
	{ name: 'Wide', standard: '1024x576', better: '1216x832' },
	{ name: 'Portrait', standard: '768x1024', better: '896x1152' },
	{ name: 'Tall', standard: '576x1024', better: '832x1216' },
];

const qualities = ['standard', 'hd', 'genius', 'super_genius'];

/**
 * A form that makes a call, so that people can see a picture before they install n8n.
 *
 * @param {Model} model @param {Actions} actions
 */
export function tryOutView({ tool }, actions) {
	const isNew = tool === 'text2img';
	const hasText = tool !== 'background-remover';
	const send = onSubmit((form) => actions.tryOut(tool, toBody(tool, form)));
	return html`<form class="card try" @submit=${send}>
		<h2>Make a call</h2>
		<div class="fields">
			<label>
				Operation
				<select @change=${onChoice(actions.choose)}>
					${Object.entries(toolNames).map(
						([id, name]) =>
							html`<option value=${id} ?selected=${id === tool}>${name} (${id})</option>`,
					)}
				</select>
			</label>
			${isNew
				? nothing
				: html`<label>Image <input name="image" type="file" accept="image/*" required /></label>`}
			${hasText
				? html`<label class="text">
						${isNew ? 'Prompt' : 'Instruction'}
						<input
							name="text"
							required
							value=${isNew ? 'a red fox in a forest at sunset' : 'make it black and white'}
						/>
					</label>`
				: nothing}
			${hasText
				? selectView(
						'Quality',
						'quality',
						qualities.filter((name) => isNew || name !== 'hd'),
					)
				: nothing}
			${isNew
				? selectView(
						'Size',
						'shape',
						shapes.map(({ name }) => name),
					)
				: nothing}
		</div>
		<button type="submit" class="primary">Make the call</button>
	</form>`;
}

/** @param {string} label @param {string} name @param {string[]} options */
function selectView(label, name, options) {
	return html`<label>
		${label}
		<select name=${name}>
			${options.map((option) => html`<option>${option}</option>`)}
		</select>
	</label>`;
}

/** @param {string} tool @param {FormData} form */
function toBody(tool, form) {
	const body = new FormData();
	const chosen = form.get('quality');
	const quality = typeof chosen === 'string' ? chosen : 'standard';
	for (const name of ['image', 'text']) {
		const value = form.get(name);
		if (value !== null) body.append(name, value);
	}
	if (quality !== 'standard') body.append('image_generator_version', quality);
	if (tool !== 'text2img') return body;
	const shape = shapes.find(({ name }) => name === form.get('shape'));
	const size = quality === 'standard' ? shape?.standard : shape?.better;
	const [width = '512', height = '512'] = size?.split('x') ?? [];
	body.append('width', width);
	body.append('height', height);
	return body;
}
