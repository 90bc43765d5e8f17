import { InvalidArgumentError } from 'commander';
import { checkPrices, checkRateLimit } from '../service/account/checks';
import { reasonOf } from '../service/http/reasonOf';
import type { Prices, RateLimit } from '../types';

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600 };

/** Parses `10/60s`, `10/s`, `100/5m` or `1000/h`. @throws InvalidArgumentError for anything else */
export function parseRateLimit(value: string): RateLimit {
	const [, calls, count = '1', unit = 's'] = /^(\d+)\/(\d+)?([smh])$/.exec(value) ?? [];
	if (calls === undefined) {
		throw new InvalidArgumentError('It must be calls/time, e.g. 10/60s, 10/s or 100/5m.');
	}
	const seconds = Number(count) * (unitSeconds[unit] ?? 1);
	return asArgument(() => checkRateLimit({ calls: Number(calls), seconds }));
}

/** Parses `standard=4,hd=9`. @throws InvalidArgumentError for anything else */
export function parsePrices(value: string): Partial<Prices> {
	const pairs = value.split(',').map((pair) => /^ *([\w-]+)=(\d+) *$/.exec(pair));
	if (pairs.includes(null)) {
		throw new InvalidArgumentError('It must be name=cents, e.g. standard=4,hd=9.');
	}
	const list = pairs.map((pair) => [pair?.[1], Number(pair?.[2])]);
	return asArgument(() => checkPrices(Object.fromEntries(list)));
}

export function parseInteger(max: number): (value: string) => number {
	return (value) => {
		const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
		if (number <= max) return number;
		throw new InvalidArgumentError(`It must be an integer from 0 to ${max}.`);
	};
}

export function parseKey(value: string): string {
	if (value.trim() !== '') return value;
	throw new InvalidArgumentError('It must not be empty.');
}

export function parseUrl(value: string): string {
	if (URL.canParse(value)) return value;
	throw new InvalidArgumentError('It must be a URL, e.g. http://127.0.0.1:8080.');
}

/** Rethrows what `check` throws as an InvalidArgumentError. */
function asArgument<Value>(check: () => Value): Value {
	try {
		return check();
	} catch (error) {
		throw new InvalidArgumentError(reasonOf(error));
	}
}
