import { z } from 'zod/v4';
import { toolIds } from '../catalog';
import { check } from '../check';
import { faults, type FaultName } from './table';

const names = Object.keys(faults) as [FaultName, ...FaultName[]];
const milliseconds = z
	.int()
	.min(0)
	.max(2 ** 31 - 1);

/** What a fault can be told about its response. */
const details = {
	/** Status of the response, if the fault does not fix it. */
	status: z.int().min(200).max(599).optional(),
	/** Body of the response, if the fault does not fix it. Anything but a string is sent as JSON. */
	body: z.unknown().optional(),
	/** Headers to add to the fault's response. */
	headers: z.record(z.string(), z.string()).optional(),
	/** Milliseconds to wait before the fault strikes; default 0, or 1000 for `delay`. */
	delayMs: milliseconds.optional(),
	/** Value of `Retry-After`: seconds or a date; an empty string leaves the header out. */
	retryAfter: z.string().optional(),
	/** Where a redirect or an output URL points. */
	location: z.string().optional(),
	/** How many bytes to let through before the connection is cut. */
	bytes: z.int().min(0).optional(),
	/** Content type of the response, if the fault does not fix it. */
	contentType: z.string().optional(),
};

const ofOneRequest = z.strictObject({ fault: z.enum(names), ...details });

const schema = ofOneRequest.extend({
	/** Default: any tool, or `download` for a fault of downloads. */
	on: z.enum(['any-tool', 'download', ...toolIds]).optional(),
	/** How many requests it strikes; default 1. */
	times: z.union([z.int().min(1), z.literal(Infinity)]).optional(),
	/** How many matching requests to let through first; default 0. */
	after: z.int().min(0).optional(),
	/** Text that the prompt, the file name, the image URL or the download path must contain. */
	when: z.string().optional(),
});

/** A fault, the requests it strikes, and details of its response. */
export type FaultRule = z.output<typeof schema>;

/** @throws Error that says what is wrong */
export function checkRule(value: unknown): FaultRule {
	return check(schema, value);
}

/** Checks what a request asks for itself: a fault's name, or a rule as JSON. @throws Error that says what is wrong */
export function checkOwnRule(text: string): FaultRule {
	return check(ofOneRequest, text.startsWith('{') ? JSON.parse(text) : { fault: text });
}
