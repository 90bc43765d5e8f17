import type { DownloadFailure, Failure } from './failures';

/**
 * What to do after a failure:
 * - `retry`: it was definitely not charged, or is free, and a retry may succeed.
 * - `throttled`: the service accepts no more requests now. It was not charged; retry later.
 * - `unclear`: it may have been charged.
 * - `give up`: a retry would fail the same way, or the job is known.
 */
export type RetryDecision = 'retry' | 'throttled' | 'unclear' | 'give up';

/** Decides what to do after a failure. docs/development/payments.md has the decisions as a table. */
export function retryDecision(failure: Failure): RetryDecision {
	if (failure.kind === 'download') return downloadDecision(failure);
	if (namesJob(failure)) return 'give up';
	switch (failure.kind) {
		case 'unreachable':
		case 'no credential':
			return 'retry';
		case 'timeout':
		case 'interrupted':
		case 'unexpected response':
			return 'unclear';
		case 'rejection':
			if (failure.status === 429) return 'throttled';
			return isTransient(failure.status) ? 'unclear' : 'give up';
		case 'bad input':
		case 'not an image':
		case 'limit reached':
		case 'not started':
		case 'canceled':
		case 'unreadable image':
		case 'insecure':
		case 'blocked':
		case 'rate limited':
		case 'unexpected':
			return 'give up';
	}
}

function downloadDecision(failure: DownloadFailure): RetryDecision {
	switch (failure.reason) {
		case 'interrupted':
		case 'incomplete':
		case 'empty':
			return 'retry';
		case 'status':
			if (failure.status === 429) return 'throttled';
			return isTransient(failure.status) ? 'retry' : 'give up';
		case 'other host':
		case 'key leak':
		case 'redirect loop':
		case 'bad redirect':
		case 'not an image':
		case 'too large':
		case 'blocked':
		case 'not stored':
		case 'timeout':
			return 'give up';
	}
}

function isTransient(status: number): boolean {
	return status === 408 || status >= 500;
}

/** Whether the job is paid for, or may be, so that sending it again could cost a second time. */
export function mayBeCharged(failure: Failure): boolean {
	return namesJob(failure) || retryDecision(failure) === 'unclear';
}

/** Whether a failure names a job, which means that it is paid for. */
export function namesJob({ job = {} }: Failure): boolean {
	return Object.keys(job).length > 0;
}

/** Parses `Retry-After`, which is in seconds or a date. @returns milliseconds from `now`. */
export function retryAfter(failure: Failure, now: number): number | undefined {
	const header = failure.retryAfter?.trim();
	if (header === undefined) return undefined;
	if (/^\d+$/.test(header)) return Number(header) * 1000;
	// Date.parse reads "1.5" as a day in January.
	const date = /^[a-z]{3,9}, /i.test(header) ? Date.parse(header) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
