import { DownloadFailure, type ConnectionFailure } from '../failures/failures';
import type { BadImage } from '../images/checkedImage';
import { notAnImageBecause } from '../images/imageType';
import type { JobResult } from '../types';
import { serviceMessage } from './response';

const BY_HAND = 'Open the link below in a browser.';

/** The image is on a host that the user has not allowed. */
export function onOtherHost(origin: string, job: JobResult): DownloadFailure {
	return new DownloadFailure(
		`The image was not downloaded because it is on another host, ${origin}.`,
		job,
		{
			advice: `${BY_HAND} If you trust that host, turn on 'Allow Other Hosts'.`,
			transient: false,
		},
	);
}

/** The link would take the key to another host. */
export function keyOnOtherHost(origin: string, job: JobResult): DownloadFailure {
	return new DownloadFailure(
		`The image was not downloaded because its link would send the API key to another host, ${origin}.`,
		job,
		{ advice: 'Ask the service about the job.', transient: false },
	);
}

/** The link was stored without the key that may be part of it, and did not work. */
export function withHiddenKey({ message, job, details }: DownloadFailure): DownloadFailure {
	const advice =
		'If the API key was part of the link, put it in place of ••• and open the link in a browser.';
	return new DownloadFailure(message, job, { ...details, advice });
}

/** The link redirects endlessly, or to something that is not a web address. */
export function badRedirect(where: string, job: JobResult): DownloadFailure {
	return notDownloaded(`its link redirects ${where}`, job, { advice: BY_HAND, transient: false });
}

/** The service responded with a status other than 200. */
export function badStatus(
	status: number,
	body: string,
	retryAfter: string | undefined,
	job: JobResult,
): DownloadFailure {
	const isGone = status === 404 || status === 410;
	return notDownloaded(
		isGone
			? `the service no longer has it (status ${status})`
			: `the service responded with status ${status}`,
		job,
		{
			advice: isGone ? 'Ask the service about the job.' : BY_HAND,
			transient: status === 408 || status === 429 || status >= 500,
			status,
			serviceMessage: serviceMessage(body),
			retryAfter,
		},
	);
}

/** The service returned something other than an image. */
export function notAnImage(
	isEmpty: boolean,
	claimed: string | undefined,
	body: string,
	job: JobResult,
): DownloadFailure {
	const what = isEmpty ? 'an empty file' : `a file that ${notAnImageBecause(claimed)}`;
	return new DownloadFailure(`The service returned ${what}.`, job, {
		advice: BY_HAND,
		transient: isEmpty,
		serviceMessage: serviceMessage(body),
	});
}

/** The image is too large or incomplete. */
export function badImage(
	reason: BadImage['reason'],
	maxBytes: number,
	job: JobResult,
): DownloadFailure {
	if (reason === 'incomplete') {
		return notDownloaded('it arrived incomplete', job, { advice: BY_HAND, transient: true });
	}
	return notDownloaded(`it is larger than ${inMebibytes(maxBytes)}`, job, {
		advice: BY_HAND,
		transient: false,
	});
}

/**
 * The connection closed, or the download timed out.
 * @param isLate Whether it timed out.
 */
export function interrupted(
	{ kind, message }: ConnectionFailure,
	job: JobResult,
	isLate: boolean,
): DownloadFailure {
	if (isLate) {
		const title = "The image could not be downloaded in the time set by 'Timeout'.";
		const advice = `${BY_HAND} To allow more time, raise 'Timeout'.`;
		return new DownloadFailure(title, job, { advice, transient: false });
	}
	if (kind === 'blocked') {
		return notDownloaded(`n8n blocked the request (${message})`, job, {
			advice: `${BY_HAND.slice(0, -1)}, or ask your n8n administrator to allow its host.`,
			transient: false,
		});
	}
	return new DownloadFailure(`The download was interrupted (${message}).`, job, {
		advice: BY_HAND,
		transient: true,
	});
}

/** n8n could not store the image, for example because its disk is full. */
export function notStored(error: unknown, job: JobResult): DownloadFailure {
	const why = error instanceof Error ? error.message : String(error);
	return notDownloaded(`n8n could not store it (${why})`, job, {
		advice: BY_HAND,
		transient: false,
	});
}

function inMebibytes(bytes: number): string {
	return `${Math.floor(bytes / 1024 ** 2)} MiB`;
}

function notDownloaded(
	why: string,
	job: JobResult,
	details: DownloadFailure['details'],
): DownloadFailure {
	return new DownloadFailure(`The image could not be downloaded: ${why}.`, job, details);
}
