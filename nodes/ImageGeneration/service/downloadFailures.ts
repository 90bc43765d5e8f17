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
	return new DownloadFailure(
		`The image was not downloaded because it is on another host, ${origin}.`,
		job,
		{
			advice: `${BY_HAND} If you trust that host, turn on 'Allow Other Hosts'.`,
			passing: false,
		},
	);
}

/** Redirects that lead nowhere. */
export function badRedirect(where: string, job: JobResult): DownloadFailure {
	return notFetched(`its link redirects ${where}`, job, { advice: BY_HAND, passing: false });
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
			: `the service responded with status ${status}`,
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
	const what = isEmpty ? 'an empty file' : `a file that ${notAnImageBecause(claimed)}`;
	return new DownloadFailure(`The service returned ${what}.`, job, {
		advice: BY_HAND,
		passing: isEmpty,
		serviceMessage: serviceMessage(body),
	});
}

/** The image is larger than allowed, or half of it is missing. */
export function badImage(
	reason: BadImage['reason'],
	maxBytes: number,
	job: JobResult,
): DownloadFailure {
	if (reason === 'without its end') {
		return notFetched('it arrived incomplete', job, { advice: BY_HAND, passing: true });
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
		const message = "The image could not be downloaded in the time set by 'Timeout'.";
		const advice = `${BY_HAND} To allow more time, raise 'Timeout'.`;
		return new DownloadFailure(message, job, { advice, passing: false });
	}
	const { kind, message } = toConnectionFailure(error);
	if (kind === 'blocked') {
		return notFetched(`n8n blocked the request (${hideKey(message)})`, job, {
			advice: `${BY_HAND.slice(0, -1)}, or ask your n8n administrator to allow its host.`,
			passing: false,
		});
	}
	return new DownloadFailure(`The download was interrupted (${hideKey(message)}).`, job, {
		advice: BY_HAND,
		passing: true,
	});
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
	return new DownloadFailure(`The image could not be downloaded: ${why}.`, job, facts);
}
