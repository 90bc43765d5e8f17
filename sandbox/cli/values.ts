import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import type { Prices } from '../catalog';
import { allowed } from '../check';
import { prices, rateLimit } from '../service/account/checks';
import type { RateLimit } from '../types';

const unitSeconds = { s: 1, m: 60, h: 3600 };

const rateLimitText = z
	.string()
	.regex(/^\d+\/\d*[smh]$/, 'calls/time, e.g. 10/60s, 10/s or 100/5m')
	.transform((text) => {
		const [calls = '', time = ''] = text.split('/');
		const unit = time.slice(-1) as keyof typeof unitSeconds;
		const count = Number(time.slice(0, -1) || '1');
		return {
			calls: Number(calls),
			seconds: count * unitSeconds[unit],
		};
	})
	.pipe(rateLimit);

const pricesText = z
	.string()
	.regex(/^ *[\w-]+=\d+ *(, *[\w-]+=\d+ *)*$/, 'name=cents, e.g. standard=4,hd=9')
	.transform((text) => {
		const pairs = text.split(',').map((pair) => {
			const [name = '', cents = ''] = pair.trim().split('=');
			return [name, Number(cents)] as const;
		});
		return Object.fromEntries(pairs);
	})
	.pipe(prices);

const keyText = z.string().refine((text) => text.trim() !== '', 'a key, not an empty text');

/** Parses `10/60s`, `10/s`, `100/5m` or `1000/h`. @throws InvalidArgumentError for anything else */
export const parseRateLimit = parser<RateLimit>(rateLimitText);

/** Parses `standard=4,hd=9`. @throws InvalidArgumentError for anything else */
export const parsePrices = parser<Partial<Prices>>(pricesText);

export const parseKey = parser<string>(keyText);

export function parseInteger(max: number): (value: string) => number {
	const digits = z.string(allowed('')).regex(/^\d{1,15}$/, `an integer from 0 to ${max}`);
	const number = z.number().max(max, `an integer from 0 to ${max}`);
	return parser<number>(digits.transform(Number).pipe(number));
}

/** Makes a parser of an argument for commander, whose message says what the argument must be. */
function parser<Value>(schema: z.ZodType<Value, z.ZodTypeDef, string>): (value: string) => Value {
	return (value) => {
		const { data, error } = schema.safeParse(value);
		if (error) throw new InvalidArgumentError(messageOf(error));
		return data;
	};
}

function messageOf({ issues: [issue] }: z.ZodError): string {
	if (issue?.code === 'unrecognized_keys') {
		return `${issue.keys.join(', ')} is not one of ${issue.message}.`;
	}
	const of = issue?.path.length ? `${issue.path.join('.')} ` : 'It ';
	return `${of}must be ${issue?.message ?? 'valid'}.`;
}
