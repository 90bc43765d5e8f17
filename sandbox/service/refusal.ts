/** A request that is refused before it is charged (specification 7.1). */
export class Refusal extends Error {
	/**
	 * @param status HTTP status, 400 to 599
	 * @param message goes out as `err`, or as `status` where the key or the subscription is at fault
	 */
	constructor(
		readonly status: number,
		message: string,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
	}

	get body(): { err: string } | { status: string } {
		return this.status === 401 || this.status === 403
			? { status: this.message }
			: { err: this.message };
	}
}

/** A value as it appears in a message: quoted, and cut to 60 characters. */
export function shown(value: string): string {
	return JSON.stringify(cut(value));
}

/** A field's name as it appears in a message: as it is if it is a plain word, else quoted. */
export function shownName(name: string): string {
	return /^\w{1,60}$/.test(name) ? name : shown(name);
}

/** A text, cut to 60 characters. */
export function cut(text: string): string {
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
