import type { PriceName, Prices, RateLimit } from '../../types';
import { truncate } from '../http/refusal';
import { defaultPrices } from './account';

const unlimited = Number.MAX_SAFE_INTEGER;

/** Checks an integer. @throws Error that names the field, its value and what is allowed */
export function checkInteger(name: string, value: unknown, min = 0, max = unlimited): number {
	if (typeof value === 'number' && Number.isSafeInteger(value)) {
		if (value >= min && value <= max) return value;
	}
	const range = max === unlimited ? `of at least ${min}` : `from ${min} to ${max}`;
	throw new Error(`${name} is ${quote(value)}; it must be an integer ${range}.`);
}

/** Checks a rate limit. @throws Error that names the field, its value and what is allowed */
export function checkRateLimit(value: unknown): RateLimit {
	const fields = ['calls', 'seconds', 'retryAfter'];
	const { calls, seconds, retryAfter = true } = checkObject('A rate limit', value, fields);
	if (typeof retryAfter !== 'boolean') {
		throw new Error(`retryAfter is ${quote(retryAfter)}; it must be true or false.`);
	}
	if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= 86_400)) {
		throw new Error(`seconds is ${quote(seconds)}; it must be a number above 0 and at most 86400.`);
	}
	return { calls: checkInteger('calls', calls, 1, 1_000_000), seconds, retryAfter };
}

/** Checks a list of prices. @throws Error that names the invalid price */
export function checkPrices(value: unknown): Partial<Prices> {
	const known = Object.keys(defaultPrices);
	return Object.fromEntries(
		Object.entries(checkObject('A list of prices', value, known)).map(([name, cents]) => [
			name,
			checkInteger(`The price of ${name}`, cents, 0, 1_000_000),
		]),
	);
}

export function isPriceName(name: string | undefined): name is PriceName {
	return name !== undefined && Object.hasOwn(defaultPrices, name);
}

/** Checks that a value is an object with known fields only. @throws Error if it is not */
export function checkObject(
	what: string,
	value: unknown,
	known: readonly string[],
): Record<string, unknown> {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new Error(`${what} must be an object with ${known.join(', ')}, not ${quote(value)}.`);
	}
	const unknown = Object.keys(value).find((name) => !known.includes(name));
	if (unknown === undefined) return { ...value };
	throw new Error(`${what} has no field ${quote(unknown)}; its fields are ${known.join(', ')}.`);
}

function quote(value: unknown): string {
	if (value === undefined) return 'missing';
	return typeof value === 'number' ? String(value) : truncate(JSON.stringify(value));
}
