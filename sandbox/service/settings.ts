import { z } from 'zod';
import { defaultPrices, type Prices } from '../catalog';
import { allowed, check, fieldsOf, integer } from '../check';
import type { RateLimit, SandboxOptions } from '../types';
import { prices, rateLimit } from './account/checks';

const text = z.string(allowed('a text'));
const flag = z.boolean(allowed('true or false'));
const key = text.min(1);

const schema = fieldsOf({
	host: text.default('127.0.0.1'),
	port: integer(0, 65_535).default(0),
	apiKey: z
		.union([key, z.array(key).readonly()], allowed('a text or a list of texts'))
		.default('test-key'),
	unsubscribedKey: text.default('no-subscription'),
	allowance: integer().default(1000),
	walletCents: integer().default(1000),
	prices: prices.default({}),
	rateLimit: rateLimit.optional(),
	delayMs: integer(0, 2 ** 31 - 1).default(0),
	echoImages: flag.default(false),
	maxImageBytes: integer(1).default(300 * 1024 * 1024),
	keepRequests: integer(1).default(20_000),
	allowHosts: z.array(text, allowed('a list of texts')).readonly().default([]),
	trustProxy: flag.default(false),
	log: z.custom<(line: string) => void>(isFunction, 'a function').optional(),
	now: z.custom<() => Date>(isFunction, 'a function').default(() => () => new Date()),
});

type CheckedOptions = z.output<typeof schema>;

/** All options, with defaults applied. */
export interface Settings extends Omit<CheckedOptions, 'apiKey' | 'prices' | 'rateLimit'> {
	apiKeys: readonly string[];
	prices: Prices;
	rateLimit: RateLimit | undefined;
}

/** Checks the options and applies the defaults. @throws Error that names the invalid option */
export function resolveSettings(options: SandboxOptions): Settings {
	const {
		apiKey,
		prices: changed,
		rateLimit: limit,
		...others
	} = check('startSandbox', schema, options);
	const settings: Settings = {
		...others,
		apiKeys: [apiKey].flat(),
		prices: { ...defaultPrices, ...changed },
		rateLimit: limit,
	};
	checkKeys(settings);
	return settings;
}

function checkKeys({ apiKeys, unsubscribedKey }: Settings): void {
	if (apiKeys.length === 0) throw new Error('apiKey is an empty list; it must have a key.');
	for (const [index, key] of apiKeys.entries()) {
		const name = JSON.stringify(key);
		if (key === unsubscribedKey) {
			throw new Error(`apiKey and unsubscribedKey are both ${name}; they must differ.`);
		}
		if (apiKeys.indexOf(key) !== index) throw new Error(`apiKey has ${name} more than once.`);
	}
}

function isFunction(value: unknown): boolean {
	return typeof value === 'function';
}
