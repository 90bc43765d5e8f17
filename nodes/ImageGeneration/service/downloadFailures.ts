import { DownloadFailure } from '../failures/failures';
import type { BadImage } from '../images/checkedImage';
import { notAnImageBecause } from '../images/imageType';
import type { JobResult } from '../types';
import { toConnectionFailure } from './connectionFailure';
import { serviceMessage } from './response';
import type { Service } from './service';

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

/** The image is larger than allowed, or half of it is missing. */
export function badImage(
	reason: BadImage['reason'],
	maxBytes: number,
	job: JobResult,
): DownloadFailure {
	if (reason === 'without its end') {
		return notFetched('it came without its end', job, { advice: BY_HAND, passing: true });
	}
	return notFetched(`it is larger than ${inMebibytes(maxBytes)}`, job, {
		advice: BY_HAND,
		passing: false,
	});
}

/**
 * The connection ended, or the time was up.
 * @param isLate Whether the time was up.
 */
export function interrupted(
	error: unknown,
	job: JobResult,
	isLate: boolean,
	hideKey: Service['hideKey'],
): DownloadFailure {
	if (isLate) {
		const message = 'The image could not be fetched in the time that the option Timeout allows.';
		const advice = `${BY_HAND} For the next ones, raise Timeout.`;
		return new DownloadFailure(message, job, { advice, passing: false });
	}
	const { kind, message } = toConnectionFailure(error);
	if (kind === 'blocked') {
		return notFetched(`n8n did not make the call (${hideKey(message)})`, job, {
			advice: `${BY_HAND.slice(0, -1)}, or ask whoever runs this n8n to allow its host.`,
			passing: false,
		});
	}
	const why = `the connection broke off (${hideKey(message)})`;
	return notFetched(why, job, { advice: BY_HAND, passing: true });
}

/** The image came, but n8n has no room for it or may not write. */
export function notStored(error: unknown, job: JobResult): DownloadFailure {
	const why = error instanceof Error ? error.message : String(error);
	return notFetched(`n8n could not store it (${why})`, job, { advice: BY_HAND, passing: false });
}

function inMebibytes(bytes: number): string {
	return `${Math.floor(bytes / 1024 ** 2)} MiB`;
}

function notFetched(why: string, job: JobResult, facts: DownloadFailure['facts']): DownloadFailure {
	return new DownloadFailure(`The image could not be fetched: ${why}.`, job, facts);
}
