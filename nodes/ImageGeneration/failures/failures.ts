import { asRecord } from '../values/asRecord';

/** The id and link of a job, by which a user can still get its image. */
export interface JobReference {
	id?: string;
	output_url?: string;
}

/** What a response said, as far as there was one. */
export interface ResponseFacts {
	status?: number | undefined;
	/** The service's `err` or `status` (section 7). */
	serviceMessage?: string | undefined;
	/** How long it asks to wait, in milliseconds. */
	retryAfter?: number | undefined;
	/** The job that it names, which is therefore paid for. */
	job?: JobReference;
}

/**
 * No response came:
 * - `unreachable`: no connection was established, so nothing was sent.
 * - `insecure`: no secure connection was established, so nothing was sent.
 * - `blocked`: n8n itself blocked the request.
 * - `timeout`: the request was sent, and no response came in time.
 * - `interrupted`: the connection closed, and the request may have been sent.
 */
export interface ConnectionFailure {
	kind: 'unreachable' | 'insecure' | 'blocked' | 'timeout' | 'interrupted';
	message: string;
}

/** 'Max Images' or 'Max Images per Day' allows no further paid request; nothing was sent. */
export interface LimitReached {
	kind: 'limit reached';
	per: 'execution' | 'day';
	max: number;
	/** How many images the execution, or the node in 24 hours, bought or may have. */
	bought: number;
	/** How many more it is about to buy. */
	planned: number;
	/** How many more the run needs. */
	needed: number;
	/** When the next place is free under a limit for a day that has none, in milliseconds from now. */
	freeIn?: number;
	/** Whether nothing of the run is sent. Otherwise it buys others, and this image was one too many. */
	isNothingSent: boolean;
	/** Whether an AI agent reads it, which can't change the limit. */
	isTool: boolean;
}

/** How many more images a limit allows, 0 or more. */
export function roomUnder(limit: Pick<LimitReached, 'max' | 'bought' | 'planned'>): number {
	return Math.max(0, limit.max - limit.bought - limit.planned);
}

/** A 2xx response without a job result (section 2.1). An image may have been generated. */
export interface UnexpectedResponse {
	kind: 'unexpected response';
	/** What the service returned instead, such as `a web page`. */
	returned: string;
	/** Its web addresses, ten at most, with the key hidden. */
	links?: string[];
	/** Its first few hundred characters, with the key hidden. */
	excerpt?: string;
}

/** The image of a job could not be downloaded. */
export type DownloadFailure = { kind: 'download' } & (
	| { reason: 'other host'; origin: string }
	| { reason: 'gone' | 'status'; status: number }
	| { reason: 'not an image'; claimed: string }
	| { reason: 'blocked' | 'interrupted' | 'not stored'; message: string }
	| { reason: 'redirect loop' | 'bad redirect' | 'empty' | 'too large' | 'timeout' }
);

/**
 * Why something did not succeed. What is done about it (retryDecision.ts) and said (report/messages.ts)
 * is listed by `kind`, and the compiler checks that no kind is forgotten.
 */
export type Failure = ResponseFacts &
	(
		| { kind: 'bad input' | 'not an image' | 'canceled'; message: string; advice: string }
		| LimitReached
		| { kind: 'not started' }
		/** The run was stopped, and the answer to its request is awaited in the background. */
		| { kind: 'awaited' }
		| ConnectionFailure
		/** The service rejected it (section 7). Names a job if the response has a job result all the same. */
		| { kind: 'rejection'; status: number; location?: string | undefined }
		/** Something in between answered instead, with `returned`, such as `a web page`. */
		| { kind: 'intercepted'; status: number; returned: string }
		/**
		 * Given up before it was sent, because the service refuses all requests; `refusal` is the last one.
		 * `asked` is the wait that it asks for, and `patience` the longest that 'Timeout' allows, both in
		 * milliseconds.
		 */
		| { kind: 'rate limited'; refusal: Failure; asked: number | undefined; patience: number }
		| UnexpectedResponse
		| DownloadFailure
		/** Anything else, such as a file that n8n can't read or what it throws for an invalid expression. */
		| { kind: 'unexpected'; message: string; advice?: string }
	);

/** A failure of one kind. */
export type FailureOf<Kind> = Failure & { kind: Kind };

/** A failure as an error to throw. */
export class Failed extends Error {
	constructor(readonly failure: Failure) {
		super('message' in failure ? failure.message : failure.kind);
	}
}

/** A parameter or an image can't be sent. Thrown before anything is bought. */
export class BadInput extends Failed {
	/**
	 * @param advice What to do, in one sentence.
	 * @param kind `not an image` if the first bytes of a file are not those of an image.
	 */
	constructor(message: string, advice: string, kind: 'bad input' | 'not an image' = 'bad input') {
		super({ kind, message, advice });
	}
}

/** Converts what was thrown. */
export function toFailure(thrown: unknown): Failure {
	if (thrown instanceof Failed) return thrown.failure;
	const { message, description } = asRecord(thrown);
	return {
		kind: 'unexpected',
		message: typeof message === 'string' ? message : String(thrown),
		...(typeof description === 'string' && { advice: description }),
	};
}

/** The value of a step, or its failure. */
export type Outcome<T> = { value: T } | { failure: Failure };

/** The outcome of a job that never started. */
export const notStarted = { failure: { kind: 'not started' } } as const;

/** Waits for a promise and returns its outcome instead of throwing. */
export async function settle<T>(promise: Promise<T>): Promise<Outcome<T>> {
	try {
		return { value: await promise };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

/**
 * Returns the value of an outcome.
 * @throws Failed if it has none.
 */
export function unwrap<T>(outcome: Outcome<T>): T {
	if ('failure' in outcome) throw new Failed(outcome.failure);
	return outcome.value;
}
