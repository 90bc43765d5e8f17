import type { LedgerEntry } from '../../../sandbox/index.js';
import { callWebhook } from './callWebhook.mjs';
import type { Fixture } from './fixture.mjs';
import { imageGeneration, webhook } from './nodes.mjs';
import { assertSuccess, rowsOf } from './rows.mjs';
import { until } from './until.mjs';
import { chain, workflow } from './workflow.mjs';

/** A workflow that generates two images of a prompt, one after the other. */
export interface TwoImages {
	/** Publishes it. @param node settings of the node. @returns its id */
	publish: (
		path: string,
		settings?: Record<string, unknown>,
		node?: Record<string, unknown>,
	) => Promise<string>;
	/** Waits until one image is finished and the request for the other one has arrived. */
	secondIsInProgress: (prompt: string) => Promise<void>;
	chargedFor: (prompt: string) => LedgerEntry[];
	/** Runs it again. @returns the ids of the jobs that it delivers */
	runAgain: (path: string, workflowId: string, prompt: string) => Promise<unknown[]>;
}

export function twoImages(fixture: Fixture): TwoImages {
	const publish: TwoImages['publish'] = async (path, settings = {}, node = {}) =>
		await fixture.api.publish(
			workflow(
				`Cut off by ${path}`,
				[
					webhook(path, { responseMode: 'onReceived' }),
					imageGeneration(
						'Generate',
						{
							operation: 'generate',
							prompt: '={{ $json.body.prompt }}',
							options: { numberOfImages: 2, concurrency: 1 },
						},
						{ credentials: fixture.credentials, ...node },
					),
				],
				chain('Webhook', 'Generate'),
				settings,
			),
			`/webhook/${path}`,
		);
	const requestsFor = (prompt: string) =>
		fixture.calls().filter(({ fields }) => fields.text === prompt);
	const chargedFor: TwoImages['chargedFor'] = (prompt) =>
		fixture.charged().filter(({ fields }) => fields.text === prompt);
	const secondIsInProgress: TwoImages['secondIsInProgress'] = async (prompt) => {
		await until(
			`the second request for ${prompt} is in progress`,
			() => requestsFor(prompt).length === 2,
		);
	};
	const runAgain: TwoImages['runAgain'] = async (path, workflowId, prompt) => {
		const execution = await fixture.api.run(workflowId, () =>
			callWebhook(fixture, path, { prompt }),
		);
		assertSuccess(execution);
		return rowsOf(execution, 'Generate').map(({ json }) => json.id);
	};
	return { publish, secondIsInProgress, chargedFor, runAgain };
}
