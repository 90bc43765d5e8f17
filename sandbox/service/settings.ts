import type { Prices, RateLimit, SandboxOptions } from '../types';
import { defaultPrices } from './account';
import { integer, prices, rateLimit } from './checks';

/** All options, with their defaults filled in. */
export type Settings = Required<Omit<SandboxOptions, 'prices' | 'rateLimit'>> & {
	prices: Prices;
	rateLimit: RateLimit | undefined;
};

/** @throws Error that names the option that is wrong, its value and what is allowed */
export function settingsOf(options: SandboxOptions): Settings {
	const settings: Settings = {
		host: '127.0.0.1',
		port: 0,
		apiKey: 'test-key',
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
		...options,
		prices: { ...defaultPrices, ...prices(options.prices ?? {}) },
		rateLimit: options.rateLimit && rateLimit(options.rateLimit),
	};
	const { allowance, walletCents, delayMs, maxImageBytes, keepRequests } = settings;
	Object.entries({ allowance, walletCents, delayMs }).forEach(([name, value]) => {
		integer(name, value);
	});
	Object.entries({ maxImageBytes, keepRequests }).forEach(([name, value]) => {
		integer(name, value, 1);
	});
	if (settings.apiKey === settings.unsubscribedKey) {
		throw new Error(
			`apiKey and unsubscribedKey are both ${JSON.stringify(settings.apiKey)}; they must differ.`,
		);
	}
	return settings;
}
