import { z } from 'zod';
import { allowed, integer } from '../check';

const text = z.string(allowed('a text'));

/** What a fault can be told about its response, beside which requests it strikes. */
export const details = z.object({
	/** Status of the response, if the fault does not fix it. */
	status: integer(200, 599).optional(),
	/** Body of the response, if the fault does not fix it. Anything but a string is sent as JSON. */
	body: z.unknown(),
	/** Headers to add to the fault's response. */
	headers: z.record(text, allowed('an object of texts')).optional(),
	/** Milliseconds to wait before the fault strikes; default 0, or 1000 for `delay`. */
	delayMs: integer(0, 2 ** 31 - 1).optional(),
	/** Value of `Retry-After`: seconds or a date; an empty string leaves the header out. */
	retryAfter: text.optional(),
	/** Where a redirect or an output URL points. */
	location: text.optional(),
	/** How many bytes to let through before the connection is cut. */
	bytes: integer().optional(),
	/** Content type of the response, if the fault does not fix it. */
	contentType: text.optional(),
});

export type FaultDetails = z.output<typeof details>;
