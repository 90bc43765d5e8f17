import { isPriceName } from '../service/account/checks';
import type { PriceName } from '../types';

/** Returns the price name of the call's version; a call without one costs as much as standard. */
export function priceByVersion(settings: Record<string, string>): PriceName {
	const version = settings['image_generator_version'];
	return isPriceName(version) ? version : 'standard';
}
