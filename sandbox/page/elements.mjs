import { html, nothing } from 'lit-html';

/** @param {string} label @param {() => unknown} action @param {string} [className] */
export function button(label, action, className) {
	return html`<button type="button" class=${className ?? nothing} @click=${action}>
		${label}
	</button>`;
}

/** Handles a submitted form without leaving the page. @param {(form: FormData) => unknown} handle */
export function onSubmit(handle) {
	return (/** @type {SubmitEvent} */ event) => {
		event.preventDefault();
		handle(new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)));
	};
}

/** Handles a choice in a select. @param {(value: string) => unknown} handle */
export function onChoice(handle) {
	return (/** @type {Event} */ event) =>
		handle(/** @type {HTMLSelectElement} */ (event.currentTarget).value);
}
