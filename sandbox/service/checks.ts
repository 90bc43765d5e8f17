import type { PriceName, Prices, RateLimit } from '../types';
import { defaultPrices } from './account';
import { cut } from './refusal';

const most = Number.MAX_SAFE_INTEGER;

/** @throws Error that names the field, its value and what is allowed */
export function integer(name: string, value: unknown, least = 0, highest = most): number {
	if (typeof value === 'number' && Number.isSafeInteger(value)) {
		if (value >= least && value <= highest) return value;
	}
	const range = highest === most ? `${least} or more` : `from ${least} to ${highest}`;
	throw new Error(`${name} is ${quoted(value)}; it must be an integer, ${range}.`);
}

/** @throws Error that names the field, its value and what is allowed */
export function rateLimit(value: unknown): RateLimit {
	const { calls, seconds, retryAfter = true } = members('A rate limit', value, limitFields);
	if (typeof retryAfter !== 'boolean') {
		throw new Error(`retryAfter is ${quoted(retryAfter)}; it must be true or false.`);
	}
	if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= 86_400)) {
		throw new Error(`seconds is ${quoted(seconds)}; it must be a number above 0, up to 86400.`);
	}
	return { calls: integer('calls', calls, 1, 1_000_000), seconds, retryAfter };
}

/** @throws Error that names the price that is wrong */
export function prices(value: unknown): Partial<Prices> {
	const known = Object.keys(defaultPrices);
	return Object.fromEntries(
		Object.entries(members('A list of prices', value, known)).map(([name, cents]) => [
			name,
			integer(`The price of ${name}`, cents, 0, 1_000_000),
		]),
	);
}

export function isPriceName(name: string | undefined): name is PriceName {
	return name !== undefined && Object.hasOwn(defaultPrices, name);
}

const limitFields = ['calls', 'seconds', 'retryAfter'];

/** The members of an object. @throws Error if it has others than those known */
export function members(
	what: string,
	value: unknown,
	known: readonly string[],
): Record<string, unknown> {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new Error(`${what} must be an object with ${known.join(', ')}, not ${quoted(value)}.`);
	}
	const unknown = Object.keys(value).find((name) => !known.includes(name));
	if (unknown === undefined) return { ...value };
	throw new Error(`${what} has no field ${quoted(unknown)}; it has ${known.join(', ')}.`);
}

function quoted(value: unknown): string {
	if (value === undefined) return 'missing';
	return typeof value === 'number' ? String(value) : cut(JSON.stringify(value));
}
