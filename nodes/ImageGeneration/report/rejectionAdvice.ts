import type { FailureOf } from '../failures/failures';
import { isRedirect } from '../failures/retryDecision';

/** What to do about a rejection, by its status. Section 7 defines none, so the service's words stand before it. */
const BY_STATUS: Record<number, string> = {
	401: "The service does not accept the key. Check 'API Key' in the credential, and your account.",
	402: 'Your allowance and wallet are used up, or you have no subscription. Check your account.',
	403: 'If the service does not say why, subscribe: API access requires a paid subscription.',
	404: "The service does not have this tool. Check 'Base URL' in the credential.",
	408: 'The service waited too long for the request.',
	413: 'The image is too large for the service. Make it smaller first.',
	415: 'The service does not accept this type of file. Convert it to JPG or PNG first.',
	429: 'The service accepts no more requests at the moment. Try again later.',
};

/** What to do about a rejection. It follows from the status alone, never from the service's words. */
export function rejectionAdvice({
	status,
	location = 'another address',
}: Pick<FailureOf<'rejection'>, 'status' | 'location'>): string {
	if (isRedirect(status)) {
		return `The service redirects to ${location.slice(0, 200)}. If that address is the service's, set 'Base URL' in the credential to it.`;
	}
	if (status >= 500) return 'The service is having trouble.';
	return BY_STATUS[status] ?? 'The service rejected the request. Check the fields of this item.';
}
