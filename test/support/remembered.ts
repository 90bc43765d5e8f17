import { N8nProcess, thisProcess } from '../../nodes/ImageGeneration/run/n8nProcess';

/** How the images with these links ended, as this process remembers it. */
export function rememberedStates(links: readonly string[]): string[] {
	return thisProcess.journal.find(() => true)
		.filter(({ result }) => result !== undefined && links.includes(result.output_url))
		.map(({ state }) => state);
}

/** Forgets all that this process knows, and gives it another name, as if n8n had restarted. */
export function forgetPurchases(): void {
	Object.assign(thisProcess, new N8nProcess());
}
