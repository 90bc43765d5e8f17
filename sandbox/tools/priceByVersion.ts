import { isPriceName } from '../service/checks';
import type { PriceName } from '../types';

/** The version's price; a tool that was called without one is the standard version. */
export function priceByVersion(settings: Record<string, string>): PriceName {
	const version = settings['image_generator_version'];
	return isPriceName(version) ? version : 'standard';
}
