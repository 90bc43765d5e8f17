/** A failure whose message tells the reader everything: print it without a stack. */
export class PlainError extends Error {
	/** @param {string} message @param {ErrorOptions} [options] */
	constructor(message, options) {
		super(message, options);
		this.name = 'PlainError';
	}
}
