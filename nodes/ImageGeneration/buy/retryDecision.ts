import {
	DownloadFailure,
	jobNamedBy,
	ConnectionFailure,
	ServiceRejection,
	UnexpectedResponse,
	type ConnectionFailureKind,
} from '../failures/failures';

/**
 * What to do after a failure:
 * - `retry`: it was definitely not charged, or is free, and a retry may succeed.
 * - `throttled`: the service accepts no more requests now. It was not charged; retry later.
 * - `unclear`: it may have been charged.
 * - `give up`: a retry would fail the same way, or the job is known.
 */
export type RetryDecision = 'retry' | 'throttled' | 'unclear' | 'give up';

const TOO_MANY = 429;

const BY_KIND: Record<ConnectionFailureKind, RetryDecision> = {
	unreachable: 'retry',
	'no credential': 'retry',
	insecure: 'give up',
	blocked: 'give up',
	timeout: 'unclear',
	interrupted: 'unclear',
};

/**
 * Decides what to do after a failure:
 *
 * | failure | decision |
 * | --- | --- |
 * | service not reached: connection refused, unknown host, no route, connection timeout | retry |
 * | the credential could not be read | retry |
 * | certificate rejected | give up |
 * | blocked by n8n itself | give up |
 * | connection closed, or response timeout | unclear |
 * | 429 | throttled |
 * | 408, 5xx | unclear |
 * | any other status from 300 on | give up |
 * | 2xx without a job result | unclear |
 * | anything that names a job | give up |
 * | download: interrupted, incomplete, empty, 408, 5xx | retry |
 * | download: 429 | throttled |
 * | download: anything else | give up |
 */
export function retryDecision(failure: unknown): RetryDecision {
	if (failure instanceof DownloadFailure) {
		if (failure.details.status === TOO_MANY) return 'throttled';
		return failure.details.transient ? 'retry' : 'give up';
	}
	if (namesJob(failure)) return 'give up';
	if (failure instanceof ConnectionFailure) return BY_KIND[failure.kind];
	if (failure instanceof ServiceRejection) {
		if (failure.status === TOO_MANY) return 'throttled';
		return failure.status === 408 || failure.status >= 500 ? 'unclear' : 'give up';
	}
	return failure instanceof UnexpectedResponse ? 'unclear' : 'give up';
}

/** Whether the job is paid for, or may be, so that sending it again could cost a second time. */
export function mayBeCharged(failure: unknown): boolean {
	return namesJob(failure) || retryDecision(failure) === 'unclear';
}

/** Parses `Retry-After`, which is in seconds or a date. @returns milliseconds from `now`. */
export function retryAfter(failure: unknown, now: number): number | undefined {
	const header = headerOf(failure)?.trim();
	if (header === undefined) return undefined;
	if (/^\d+$/.test(header)) return Number(header) * 1000;
	// Date.parse reads "1.5" as a day in January.
	const date = /^[a-z]{3,9}, /i.test(header) ? Date.parse(header) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Whether a failure names a job, which means that it is paid for. */
export function namesJob(failure: unknown): boolean {
	return Object.keys(jobNamedBy(failure)).length > 0;
}

function headerOf(failure: unknown): string | undefined {
	if (failure instanceof ServiceRejection) return failure.retryAfter;
	return failure instanceof DownloadFailure ? failure.details.retryAfter : undefined;
}
