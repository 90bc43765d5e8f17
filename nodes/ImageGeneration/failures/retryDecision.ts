import type { DownloadFailure, Failure } from './failures';

/**
 * What to do after a failure:
 * - `retry`: it was definitely not charged, or is free, and a retry may succeed.
 * - `throttled`: the service accepts no more requests now. It was not charged; retry later.
 * - `unclear`: it may have been charged.
 * - `give up`: a retry would fail the same way, or the job is known.
 */
type RetryDecision = 'retry' | 'throttled' | 'unclear' | 'give up';

/** Kinds that are decided by their status. */
type Answered = 'rejection' | 'intercepted' | 'download';

const REQUESTS: Record<Exclude<Failure['kind'], Answered>, RetryDecision> = {
	unreachable: 'retry',
	timeout: 'unclear',
	interrupted: 'unclear',
	'unexpected response': 'unclear',
	awaited: 'unclear',
	'bad input': 'give up',
	'not an image': 'give up',
	'limit reached': 'give up',
	'not started': 'give up',
	canceled: 'give up',
	insecure: 'give up',
	blocked: 'give up',
	'rate limited': 'give up',
	unexpected: 'give up',
};

/** Why a download may succeed next time; other reasons stay. */
const TRANSIENT: ReadonlyArray<DownloadFailure['reason']> = ['interrupted', 'empty'];

/** Decides what to do after a failure. test/promises/paid-once/retryDecision.test.ts has the decisions as a table. */
export function retryDecision(failure: Failure): RetryDecision {
	if (failure.kind === 'download') {
		if (failure.reason === 'status') return byStatus(failure.status, 'retry');
		return TRANSIENT.includes(failure.reason) ? 'retry' : 'give up';
	}
	if (namesJob(failure)) return 'give up';
	if (failure.kind === 'rejection' || failure.kind === 'intercepted') {
		const { status } = failure;
		const mayBeDone = isRedirect(status) && !SENT_ELSEWHERE.includes(status);
		return mayBeDone ? 'unclear' : byStatus(status, 'unclear');
	}
	return REQUESTS[failure.kind];
}

/** Redirects that ask to send the request again to another address. Others may lead to what it has done. */
const SENT_ELSEWHERE = [307, 308];

/** Whether a status leads to another address. */
export function isRedirect(status: number): boolean {
	return status >= 300 && status < 400;
}

function byStatus(status: number, ifTransient: RetryDecision): RetryDecision {
	if (status === 429) return 'throttled';
	return status === 408 || status >= 500 ? ifTransient : 'give up';
}

/** Whether the job is paid for, or may be, so that sending it again could cost a second time. */
export function mayBeCharged(failure: Failure): boolean {
	return namesJob(failure) || retryDecision(failure) === 'unclear';
}

/** Whether a failure names a job, which means that it is paid for. */
export function namesJob({ job = {} }: Failure): boolean {
	return Object.keys(job).length > 0;
}

/** Reasons why a link does not give the image, and never will. */
const DEAD: ReadonlyArray<DownloadFailure['reason']> = [
	'gone',
	'not an image',
	'empty',
	'bad redirect',
	'redirect loop',
];

/** Whether a link gives anything but the image, such as a page or a login. */
export function isDeadLink(failure: Failure): boolean {
	if (failure.kind !== 'download') return false;
	if (failure.reason === 'status') return retryDecision(failure) === 'give up';
	return DEAD.includes(failure.reason);
}
