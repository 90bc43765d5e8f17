export const REFUSED_KEY = "The key was not accepted. Check 'API Key'.";
export const NO_ACCESS = 'The key has no API access, which requires a paid subscription.';

/** What to do about the status of a paid request that was rejected and not charged. */
export function statusAdvice(status: number, location: string | undefined): string {
	if (status >= 300 && status < 400) {
		const where = location === undefined ? 'another address' : location.slice(0, 200);
		return `The service redirects to ${where}. Set 'Base URL' in the credential to that address.`;
	}
	const advice: Record<number, string> = {
		401: "The service does not accept the key. Check 'API Key' in the credential.",
		402: 'Your allowance and wallet are used up, or you have no subscription. Check your account.',
		403: 'The key has no API access, which requires a paid subscription. Subscribe, or use another key.',
		404: "The service does not have this tool. Check 'Base URL' in the credential.",
		413: 'The image is too large for the service. Make it smaller first.',
		415: 'The service does not accept this type of file. Convert it to JPG or PNG first.',
		429: "The service received too many requests. Lower 'Concurrency', raise 'Request Interval', or set 'Max Retries' above 0 so that the node waits and continues by itself.",
	};
	return advice[status] ?? 'The service rejected the request. Check the fields of this item.';
}

/** What the status of a credential test means on its own; undefined if the service's message decides. */
export function credentialAdvice(status: number, origin: string): string | undefined {
	const advice: Record<number, string> = {
		401: REFUSED_KEY,
		402: NO_ACCESS,
		403: NO_ACCESS,
		429: 'Too many requests at the moment. Test again later.',
	};
	if (status >= 500) return `The service is having trouble (status ${status}). Test again later.`;
	if (status < 300 || status >= 400) return advice[status];
	return `${origin} redirects to another address. Set 'Base URL' to that address.`;
}
