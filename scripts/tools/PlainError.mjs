/** An error whose message is enough for the reader. It is printed without a stack. */
export class PlainError extends Error {
	/** @param {string} message @param {ErrorOptions} [options] */
	constructor(message, options) {
		super(message, options);
		this.name = 'PlainError';
	}
}
