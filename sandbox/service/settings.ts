import type { Prices, RateLimit, SandboxOptions } from '../types';
import { defaultPrices } from './account/account';
import { checkInteger, checkPrices, checkRateLimit } from './account/checks';

/** All options, with defaults applied. */
export type Settings = Required<Omit<SandboxOptions, 'apiKey' | 'log' | 'prices' | 'rateLimit'>> & {
	log: SandboxOptions['log'];
	apiKeys: readonly string[];
	prices: Prices;
	rateLimit: RateLimit | undefined;
};

/** Checks the options and applies the defaults. @throws Error that names the invalid option */
export function resolveSettings(options: SandboxOptions): Settings {
	const settings: Settings = {
		host: '127.0.0.1',
		port: 0,
		unsubscribedKey: 'no-subscription',
		allowance: 1000,
		walletCents: 1000,
		delayMs: 0,
		echoImages: false,
		maxImageBytes: 300 * 1024 * 1024,
		keepRequests: 20_000,
		allowHosts: [],
		trustProxy: false,
		now: () => new Date(),
		log: undefined,
		...options,
		apiKeys: [options.apiKey ?? 'test-key'].flat(),
		prices: { ...defaultPrices, ...checkPrices(options.prices ?? {}) },
		rateLimit: options.rateLimit && checkRateLimit(options.rateLimit),
	};
	const { allowance, walletCents, delayMs, maxImageBytes, keepRequests } = settings;
	Object.entries({ allowance, walletCents, delayMs }).forEach(([name, value]) => {
		checkInteger(name, value);
	});
	Object.entries({ maxImageBytes, keepRequests }).forEach(([name, value]) => {
		checkInteger(name, value, 1);
	});
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
