import { thisProcess } from '../../nodes/ImageGeneration/run/n8nProcess';

/** How the images with these links ended, as this process remembers it. */
export function rememberedStates(links: readonly string[]): string[] {
	return thisProcess.journal
		.find(() => true)
		.filter(({ result }) => result !== undefined && links.includes(result.output_url))
		.map(({ state }) => state);
}

/** Forgets all purchases, as n8n does when it restarts. */
export function forgetPurchases(): void {
	for (const purchase of thisProcess.journal.find(() => true)) {
		thisProcess.journal.drop(purchase);
		thisProcess.purchaseTimes.remove(purchase);
	}
}
