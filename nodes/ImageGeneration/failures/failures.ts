import type { JobResult } from '../types';

/** What is known of a job that could not be delivered: enough to fetch its image by hand. */
export interface JobReference {
	id?: string;
	output_url?: string;
}

/** The part of an answer by which a person finds the job again. */
export function referenceTo(answer: Record<string, unknown>): JobReference {
	const { id, output_url } = answer;
	return {
		...((typeof id === 'string' || typeof id === 'number') && { id: String(id) }),
		...(typeof output_url === 'string' && { output_url }),
	};
}

/** A failure on the way to the service, at it, or on the way back. */
export class ServiceFailure extends Error {}

/** A parameter or an image that can't be sent; raised before anything is paid for. */
export class BadInput extends Error {
	/** @param advice What to do about it, one sentence. */
	constructor(
		message: string,
		readonly advice?: string,
	) {
		super(message);
	}
}

/** A file whose first bytes are no image's; raised before anything is paid for. */
export class NotAnImage extends BadInput {}

/** 'Max Images' leaves no room for a paid call; nothing was sent. */
export class LimitReached extends Error {
	/**
	 * @param max The limit of the execution.
	 * @param bought What was bought, or may have been, before.
	 * @param needed How many more are wanted.
	 */
	constructor(
		readonly max: number,
		readonly bought: number,
		readonly needed: number,
	) {
		super(`'Max Images' is ${max}`);
	}
}

/**
 * The service refused a call (section 7). Where a job result came along all the same, `job` is what
 * it names.
 */
export class ServiceRejection extends ServiceFailure {
	/**
	 * @param serviceMessage The service's own `err` or `status`, if it gave one.
	 * @param retryAfter The `Retry-After` header as it came: seconds or a date.
	 */
	constructor(
		readonly status: number,
		readonly serviceMessage: string | undefined,
		readonly retryAfter: string | undefined,
		readonly location: string | undefined,
		readonly job: JobReference = {},
	) {
		super(serviceMessage ?? `Status ${status}`);
	}
}

/** A call that was given up because the service kept refusing calls (429); it was not charged. */
export class RateLimited extends ServiceRejection {
	/**
	 * @param asked Milliseconds that the service asks to wait; undefined if it does not say.
	 * @param patience Milliseconds that the node would have waited.
	 */
	constructor(
		{ status, serviceMessage, retryAfter, location }: ServiceRejection,
		readonly asked: number | undefined,
		readonly patience: number,
	) {
		super(status, serviceMessage, retryAfter, location);
	}
}

/** What can be told of a response without a job result, the key blanked out. */
export interface ResponseTraces {
	/** Every web address in it, ten at most. */
	links: string[];
	/** How it begins, a few hundred characters. */
	excerpt: string;
}

/** A 2xx that holds no job result (section 2.1): something was generated, or nothing. */
export class UnexpectedResponse extends ServiceFailure {
	constructor(
		readonly what: string,
		readonly serviceMessage: string | undefined,
		readonly job: JobReference,
		readonly status = 200,
		readonly traces: ResponseTraces = { links: [], excerpt: '' },
	) {
		super(what);
	}
}

/**
 * Why no response came:
 * - `unreachable`: no connection was established, so nothing was sent.
 * - `insecure`: there is no secure connection, so nothing was sent.
 * - `blocked`: n8n itself kept the request back.
 * - `no credential`: n8n could not read the credential, so nothing was sent.
 * - `timeout`: the request went out, and no response came in time.
 * - `interrupted`: the request may have gone out; then the connection ended.
 */
export type ConnectionFailureKind =
	| 'unreachable'
	| 'insecure'
	| 'blocked'
	| 'no credential'
	| 'timeout'
	| 'interrupted';

/** No response came. */
export class ConnectionFailure extends ServiceFailure {
	constructor(
		readonly kind: ConnectionFailureKind,
		message: string,
	) {
		super(message);
	}
}

/** n8n could not read the image while it was being sent, so the service never had it whole. */
export class UnreadableImage extends Error {}

/** The execution was stopped in n8n; by this very word n8n tells a stop from a failure (2.40.3). */
export class Canceled extends Error {
	/** @param callsCut Whether calls were cut off that may have been charged. */
	constructor(readonly callsCut: boolean) {
		super('The execution was canceled');
	}
}

/** What is known of a download that failed. */
export interface DownloadDetails {
	/** What to do about it, one sentence. */
	advice: string;
	/** Whether a later try may well succeed. */
	passing: boolean;
	/** The HTTP status, unless it was 200 or there was none. */
	status?: number;
	/** The service's own words, if it gave any. */
	serviceMessage?: string | undefined;
	/** The `Retry-After` header as it came. */
	retryAfter?: string | undefined;
}

/** The job is done and paid for, but its image could not be fetched. */
export class DownloadFailure extends ServiceFailure {
	constructor(
		message: string,
		readonly job: JobResult,
		readonly facts: DownloadDetails,
	) {
		super(message);
	}
}

/** The job that a failure names; empty where there is none. */
export function jobNamedBy(failure: unknown): JobReference {
	if (failure instanceof DownloadFailure) return referenceTo(failure.job);
	if (failure instanceof ServiceRejection || failure instanceof UnexpectedResponse)
		return failure.job;
	return {};
}
