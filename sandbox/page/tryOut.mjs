/** @import { About, Actions, Model, ToolInfo } from './model.mjs' */
import { html, nothing } from 'lit-html';
import { onChoice, onSubmit } from './elements.mjs';

/**
 * A form that makes a call, so that people can see a picture before they install n8n.
 *
 * @param {Model} model @param {Actions} actions
 */
export function tryOutView({ tool: chosen, about }, actions) {
	const tool = about.tools.find(({ id }) => id === chosen);
	if (!tool) return nothing;
	const send = onSubmit((form) => actions.tryOut(tool.id, toBody(tool, about.sizes, form)));
	return html`<form class="card try" @submit=${send}>
		<h2>Make a call</h2>
		<div class="fields">
			<label>
				Operation
				<select @change=${onChoice(actions.choose)}>
					${about.tools.map(
						({ id, name }) =>
							html`<option value=${id} ?selected=${id === chosen}>${name} (${id})</option>`,
					)}
				</select>
			</label>
			${fieldViews(tool, about)}
		</div>
		<button type="submit" class="primary">Make the call</button>
	</form>`;
}

/** @param {ToolInfo} tool @param {About} about */
function fieldViews({ fields, qualities }, { sizes }) {
	const takesImage = fields.includes('image');
	return [
		takesImage
			? html`<label>Image <input name="image" type="file" accept="image/*" required /></label>`
			: nothing,
		fields.includes('text')
			? html`<label class="text">
					${takesImage ? 'Instruction' : 'Prompt'}
					<input
						name="text"
						required
						value=${takesImage ? 'make it black and white' : 'a red fox in a forest at sunset'}
					/>
				</label>`
			: nothing,
		qualities.length === 0 ? nothing : selectView('Quality', 'quality', qualities),
		fields.includes('width') ? selectView('Size', 'shape', Object.keys(sizes.standard)) : nothing,
	];
}

/** @param {string} label @param {string} name @param {readonly string[]} options */
function selectView(label, name, options) {
	return html`<label>
		${label}
		<select name=${name}>
			${options.map((option) => html`<option>${option}</option>`)}
		</select>
	</label>`;
}

/** @param {ToolInfo} tool @param {About['sizes']} sizes @param {FormData} form */
function toBody({ qualities }, sizes, form) {
	const body = new FormData();
	for (const name of ['image', 'text']) {
		const value = form.get(name);
		if (value !== null) body.append(name, value);
	}
	const quality = form.get('quality');
	// A call that names none has the first one.
	if (quality !== null && quality !== qualities[0]) body.append('image_generator_version', quality);
	const [, ofQuality] = Object.entries(sizes).find(([name]) => name === quality) ?? [];
	const [, size] =
		Object.entries(ofQuality ?? {}).find(([name]) => name === form.get('shape')) ?? [];
	const [width, height] = size?.split('x') ?? [];
	if (width !== undefined && height !== undefined) {
		body.append('width', width);
		body.append('height', height);
	}
	return body;
}
