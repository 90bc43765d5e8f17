import { isUnsent } from './connectionFailure';

/**
 * Who sent a response:
 * - `service`: the service itself.
 * - `proxy`: the proxy that n8n uses, which did not pass the request on to the service.
 * - `intermediary`: a proxy, a firewall or another server. The request may have passed it.
 */
export type Answerer = 'service' | 'proxy' | 'intermediary';

/** What of a response tells who sent it. */
interface Answer {
	status: number;
	/** The client's request. */
	request?: unknown;
	/** Whether the body is a JSON object, or the beginning of one with a message. */
	isJson: boolean;
}

/** Tells who sent a response without a 2xx status. */
export function whoAnswered({ status, request, isJson }: Answer): Answerer {
	// A proxy that refuses to open a connection answers before the request is written to one.
	if (isUnsent(request)) return 'proxy';
	// Only a proxy asks for a login with this status.
	if (status === 407) return 'proxy';
	// Nobody reads the body of a redirect, so it may be anything.
	if (status < 400) return 'service';
	// The service answers in JSON (section 7), and a web page or an empty body is somebody else's.
	return isJson ? 'service' : 'intermediary';
}
