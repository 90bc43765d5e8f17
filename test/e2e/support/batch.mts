import type { LedgerEntry } from '../../../sandbox/index.js';
import { callWebhook } from './callWebhook.mjs';
import type { Fixture } from './fixture.mjs';
import { imageGeneration, splitOut, webhook } from './nodes.mjs';
import { chain, workflow, type WorkflowBody } from './workflow.mjs';

/** Images per webhook call. */
export const ITEMS = 5;

/** How many of them are bought at once. */
export const AT_ONCE = 2;

/** Generates an image for each prompt in a call to `/webhook/batch`. */
export function batch(fixture: Fixture): WorkflowBody {
	const parameters = {
		operation: 'generate',
		prompt: "={{ $json['body.prompts'] }}",
		size: 'custom',
		width: 128,
		height: 128,
		// Some finish while others are still running, as in longer lists.
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

/** Calls the webhook `times` times at once, each with different prompts. */
export function callBatches(fixture: Fixture, name: string, times: number): Promise<Response>[] {
	return Array.from({ length: times }, async (_, call) => {
		const prompts = Array.from({ length: ITEMS }, (__, item) => `${name} ${call}.${item}`);
		return await callWebhook(fixture, 'batch', { prompts });
	});
}

/** Number of charges for each prompt. */
export function chargesPerPrompt(ledger: readonly LedgerEntry[]): Map<string, number> {
	const charges = new Map<string, number>();
	for (const { fields } of ledger) {
		const prompt = fields.text ?? '';
		charges.set(prompt, (charges.get(prompt) ?? 0) + 1);
	}
	return charges;
}
