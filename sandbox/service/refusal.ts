/** Thrown to refuse a request before it is charged (specification 7.1). */
export class Refusal extends Error {
	/**
	 * @param status HTTP status, 400 to 599
	 * @param message sent as `status` for 401 and 403, otherwise as `err`
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

/** Quotes a value for a message, truncated to 60 characters. */
export function quote(value: string): string {
	return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}
