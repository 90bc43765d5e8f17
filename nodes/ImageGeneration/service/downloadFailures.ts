import { DownloadFailure } from '../failures/failures';
import { notAnImageBecause } from '../images/imageType';
import type { JobResult } from '../types';
import { isBlocked, toConnectionFailure } from './connectionFailure';
import { serviceMessage } from './response';

const BY_HAND = 'Open the link below in a browser.';

/** The image is elsewhere than the user allowed. */
export function onOtherHost(origin: string, job: JobResult): DownloadFailure {
	return new DownloadFailure(`The image was not fetched: it is on another host, ${origin}.`, job, {
		advice: `${BY_HAND} For the next ones, switch on the option Allow Other Hosts if you trust that host.`,
		passing: false,
	});
}

/** Redirects that lead nowhere. */
export function badRedirect(where: string, job: JobResult): DownloadFailure {
	return notFetched(`its address leads ${where}`, job, { advice: BY_HAND, passing: false });
}

/** The service answered with another status than 200. */
export function badStatus(
	status: number,
	body: string,
	retryAfter: string | undefined,
	job: JobResult,
): DownloadFailure {
	const isGone = status === 404 || status === 410;
	return notFetched(
		isGone
			? `the service no longer has it (status ${status})`
			: `the service answered with status ${status}`,
		job,
		{
			advice: isGone ? 'Ask the service about the job.' : BY_HAND,
			passing: status === 408 || status === 429 || status >= 500,
			status,
			serviceMessage: serviceMessage(body),
			retryAfter,
		},
	);
}

/** Something else than an image came. */
export function notAnImage(
	isEmpty: boolean,
	claimed: string | undefined,
	body: string,
	job: JobResult,
): DownloadFailure {
	return notFetched(
		isEmpty ? 'an empty file came instead' : `what came ${notAnImageBecause(claimed)}`,
		job,
		{
			advice: BY_HAND,
			passing: isEmpty,
			serviceMessage: serviceMessage(body),
		},
	);
}

/** The connection ended, or the time was up. */
export function interrupted(error: unknown, job: JobResult, signal: AbortSignal): DownloadFailure {
	const isLate = signal.aborted && nameOf(signal.reason) === 'TimeoutError';
	if (isLate) {
		const message = 'The image could not be fetched in the time that the option Timeout allows.';
		const advice = `${BY_HAND} For the next ones, raise Timeout.`;
		return new DownloadFailure(message, job, { advice, passing: false });
	}
	const { code, message } = toConnectionFailure(error);
	if (isBlocked(code)) {
		return notFetched(`n8n did not make the call (${message})`, job, {
			advice: `${BY_HAND.slice(0, -1)}, or ask whoever runs this n8n to allow its host.`,
			passing: false,
		});
	}
	const why = `the connection broke off (${message})`;
	return notFetched(why, job, { advice: BY_HAND, passing: true });
}

/** The image came, but n8n has no room for it or may not write. */
export function notStored(error: unknown, job: JobResult): DownloadFailure {
	const why = error instanceof Error ? error.message : String(error);
	return notFetched(`n8n could not store it (${why})`, job, { advice: BY_HAND, passing: false });
}

function nameOf(reason: unknown): unknown {
	return typeof reason === 'object' && reason !== null && 'name' in reason && reason.name;
}

function notFetched(why: string, job: JobResult, facts: DownloadFailure['facts']): DownloadFailure {
	return new DownloadFailure(`The image could not be fetched: ${why}.`, job, facts);
}
