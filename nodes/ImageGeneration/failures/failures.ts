import type { JobResult } from '../types';

/** The id and link of a job, by which a user can still get its image. */
export interface JobReference {
	id?: string;
	output_url?: string;
}

/** Takes the id and link from a response. */
export function referenceTo(response: Record<string, unknown>): JobReference {
	const { id, output_url } = response;
	return {
		...((typeof id === 'string' || typeof id === 'number') && { id: String(id) }),
		...(typeof output_url === 'string' && { output_url }),
	};
}

/** A request to the service did not succeed. */
export class ServiceFailure extends Error {}

/** A parameter or an image can't be sent. Thrown before anything is bought. */
export class BadInput extends Error {
	/** @param advice What to do, in one sentence. */
	constructor(
		message: string,
		readonly advice: string,
	) {
		super(message);
	}
}

/** The first bytes of a file are not those of an image. */
export class NotAnImage extends BadInput {}

/** 'Max Images' allows no further paid request; nothing was sent. */
export class LimitReached extends Error {
	/**
	 * @param max The limit of the execution.
	 * @param bought How many images were bought, or may have been.
	 * @param needed How many more the run needs.
	 */
	constructor(
		readonly max: number,
		readonly bought: number,
		readonly needed: number,
		/** Whether an AI agent reads it, which can't change the limit. */
		readonly isTool = false,
	) {
		super(`'Max Images' is ${max}`);
	}
}

/**
 * The service rejected a request (section 7). `job` is set if the response contains a job result all
 * the same.
 */
export class ServiceRejection extends ServiceFailure {
	/**
	 * @param serviceMessage The service's `err` or `status`, if any.
	 * @param retryAfter The unparsed `Retry-After` header: seconds or a date.
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

/** The service kept responding with 429, so the request was given up. It was not charged. */
export class RateLimited extends ServiceRejection {
	/**
	 * @param asked Wait that the service asks for, in milliseconds; undefined if it does not say.
	 * @param patience Longest wait that 'Timeout' allows, in milliseconds.
	 */
	constructor(
		{ status, serviceMessage, retryAfter, location }: ServiceRejection,
		readonly asked: number | undefined,
		readonly patience: number,
	) {
		super(status, serviceMessage, retryAfter, location);
	}
}

/** Parts of a response without a job result, with the key hidden. */
export interface ResponseTraces {
	/** Its web addresses, ten at most. */
	links: string[];
	/** Its first few hundred characters. */
	excerpt: string;
}

/** A 2xx response without a job result (section 2.1). An image may have been generated. */
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
 * - `insecure`: no secure connection was established, so nothing was sent.
 * - `blocked`: n8n itself blocked the request.
 * - `no credential`: n8n could not read the credential, so nothing was sent.
 * - `timeout`: the request was sent, and no response came in time.
 * - `interrupted`: the connection closed, and the request may have been sent.
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

/** n8n could not read the image while sending it, so the service never received the whole file. */
export class UnreadableImage extends Error {}

/** The execution was stopped in n8n, which recognizes a stop by the word "canceled" (2.40.3). */
export class Canceled extends Error {
	/** @param hasUnclearRequests Whether requests were cut off that may have been charged. */
	constructor(readonly hasUnclearRequests: boolean) {
		super('The execution was canceled');
	}
}

/** Details of a download that did not succeed. */
export interface DownloadDetails {
	/** What to do, in one sentence. */
	advice: string;
	/** Whether a retry is likely to succeed. */
	transient: boolean;
	/** The HTTP status, unless it was 200 or there was none. */
	status?: number;
	/** The service's message, if any. */
	serviceMessage?: string | undefined;
	/** The unparsed `Retry-After` header. */
	retryAfter?: string | undefined;
}

/** The job is finished and paid for, but its image could not be downloaded. */
export class DownloadFailure extends ServiceFailure {
	constructor(
		message: string,
		readonly job: JobResult,
		readonly details: DownloadDetails,
	) {
		super(message);
	}
}

/** The job that a failure names; empty if it names none. */
export function jobNamedBy(failure: unknown): JobReference {
	if (failure instanceof DownloadFailure) return referenceTo(failure.job);
	if (failure instanceof ServiceRejection || failure instanceof UnexpectedResponse)
		return failure.job;
	return {};
}
