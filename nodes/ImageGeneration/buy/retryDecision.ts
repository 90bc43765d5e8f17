import {
	DownloadFailure,
	jobNamedBy,
	ConnectionFailure,
	ServiceRejection,
	UnexpectedResponse,
	type ConnectionFailureKind,
} from '../failures/failures';

/**
 * What may follow a failure:
 * - `retry`: it surely was not charged, or costs nothing, and may pass.
 * - `throttled`: the service takes no more calls now; it is not charged, and a later one may pass.
 * - `unclear`: it may have been charged.
 * - `give up`: the same request would end the same way, or the job is known.
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
 * | failure | verdict |
 * | --- | --- |
 * | never reached: refused, no such host, no route, no connection in time | retry |
 * | the credential could not be read | retry |
 * | certificate refused | give up |
 * | kept back by n8n itself | give up |
 * | connection cut, or no answer in time | unclear |
 * | 429 | throttled |
 * | 408, 5xx | unclear |
 * | any other status from 300 on | give up |
 * | 2xx without a job result | unclear |
 * | anything that names a job | give up |
 * | download: cut, empty, 408, 5xx | retry |
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

/** Whether the failed item is paid for, or may be: to send it again could cost a second time. */
export function mayBeCharged(failure: unknown): boolean {
	return namesJob(failure) || retryDecision(failure) === 'unclear';
}

/** The service's `Retry-After` in milliseconds from `now`; it comes in seconds or as a date. */
export function retryAfter(failure: unknown, now: number): number | undefined {
	const header = headerOf(failure)?.trim();
	if (header === undefined) return undefined;
	if (/^\d+$/.test(header)) return Number(header) * 1000;
	// Date.parse takes "1.5" for a day in January.
	const date = /^[a-z]{3,9}, /i.test(header) ? Date.parse(header) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Whether a failure names a job, which is paid for. */
export function namesJob(failure: unknown): boolean {
	return Object.keys(jobNamedBy(failure)).length > 0;
}

function headerOf(failure: unknown): string | undefined {
	if (failure instanceof ServiceRejection) return failure.retryAfter;
	return failure instanceof DownloadFailure ? failure.details.retryAfter : undefined;
}
