import type { LedgerEntry } from '../../../sandbox/index.js';
import { callWebhook } from './callWebhook.mjs';
import type { Fixture } from './fixture.mjs';
import { imageGeneration, splitOut, webhook } from './nodes.mjs';
import { chain, workflow, type WorkflowBody } from './workflow.mjs';

/** How many images one call of the webhook asks for. */
export const ITEMS = 5;

/** How many of them are under way at a time. */
export const AT_ONCE = 2;

/** Generates an image for each prompt that `/webhook/batch` is called with. */
export function batch(fixture: Fixture): WorkflowBody {
	const parameters = {
		operation: 'generate',
		prompt: "={{ $json['body.prompts'] }}",
		size: 'custom',
		width: 128,
		height: 128,
		// Some are done while others are under way, as with longer lists.
		options: { concurrency: AT_ONCE },
	};
	return workflow(
		'Batch',
		[
			webhook('batch', { responseData: 'noData' }),
			splitOut('prompts'),
			imageGeneration('Generate', parameters, { credentials: fixture.credentials }),
		],
		chain('Webhook', 'Split Out', 'Generate'),
	);
}

/** Calls the webhook as often as told, all at once, each with prompts of its own. */
export function callBatches(fixture: Fixture, name: string, times: number): Promise<Response>[] {
	return Array.from({ length: times }, async (_, call) => {
		const prompts = Array.from({ length: ITEMS }, (__, item) => `${name} ${call}.${item}`);
		return await callWebhook(fixture, 'batch', { prompts });
	});
}

/** How often each prompt was charged. */
export function chargesPerPrompt(ledger: readonly LedgerEntry[]): Map<string, number> {
	const charges = new Map<string, number>();
	for (const { fields } of ledger) {
		const prompt = fields.text ?? '';
		charges.set(prompt, (charges.get(prompt) ?? 0) + 1);
	}
	return charges;
}
