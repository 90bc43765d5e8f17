import { z } from 'zod';
import { priceNames, type PriceName, type Prices } from '../../catalog';
import { allowed, check, fieldsOf, integer } from '../../check';
import type { RateLimit } from '../../types';

const maxCents = 1_000_000;

export const rateLimit = fieldsOf({
	calls: integer(1, 1_000_000),
	seconds: z.number(allowed('a number above 0 and at most 86400')).positive().max(86_400),
	retryAfter: z.boolean(allowed('true or false')).default(true),
});

const cents = integer(0, maxCents).optional();

/** Some prices, in US cents. */
export const prices = fieldsOf(
	Object.fromEntries(priceNames.map((name) => [name, cents])) as Record<PriceName, typeof cents>,
).transform((list) => {
	const changed = Object.entries(list).filter(([, price]) => price !== undefined);
	return Object.fromEntries(changed) as Partial<Prices>;
});

const topUp = fieldsOf({ cents: integer(1, maxCents) });

/** Checks a rate limit. @throws Error that names the field, its value and what is allowed */
export function checkRateLimit(value: unknown): RateLimit {
	return check('A rate limit', rateLimit, value);
}

/** Checks a list of prices. @throws Error that names the invalid price */
export function checkPrices(value: unknown): Partial<Prices> {
	return check('A list of prices', prices, value);
}

/** Checks how many cents to add to the wallet. @throws Error that says what is allowed */
export function checkTopUp(value: unknown): number {
	return check('The body', topUp, value).cents;
}
