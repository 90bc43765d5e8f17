import { callWebhook } from './callWebhook.mjs';
import type { Fixture } from './fixture.mjs';
import { imageGeneration, splitOut, webhook } from './nodes.mjs';
import { createTable, rowsOfTable } from './purchaseTable.mjs';
import { until } from './until.mjs';
import { chain, workflow, type WorkflowNode } from './workflow.mjs';

/** What most executions ask for. */
export const prompts = ['a fox', 'a hare', 'a crow', 'an owl'];

/** Workflows that generate an image for each prompt of a call, with a purchase log. */
export interface LoggedPrompts {
	/**
	 * Publishes one, named as its path, which buys one image at a time.
	 * @returns its id, and the name of its table
	 */
	publish: (
		path: string,
		options?: Record<string, unknown>,
		settings?: Partial<WorkflowNode>,
	) => Promise<{ id: string; table: string }>;
	/** Begins an execution whose third image hangs, and waits until two are in the table. */
	begin: (path: string, table: string) => Promise<void>;
	/** How many requests were sent for a prompt since the test began. */
	asked: (prompt: string) => number;
}

/** @param makesTable whether the node makes the table, as in n8n 2 */
export function loggedPrompts(fixture: Fixture, makesTable: boolean): LoggedPrompts {
	const publish: LoggedPrompts['publish'] = async (path, options = {}, settings = {}) => {
		// SQLite does not know this capital.
		const table = `Übersicht ${path}`;
		const purchaseLog = makesTable ? table : await createTable(fixture, table);
		const parameters = {
			operation: 'generate',
			prompt: "={{ $json['body.prompts'] }}",
			size: 'custom',
			...{ width: 128, height: 128 },
			options: { concurrency: 1, purchaseLog, ...options },
		};
		const { credentials } = fixture;
		const id = await fixture.api.publish(
			workflow(
				path,
				[
					webhook(path, { responseMode: 'onReceived' }),
					splitOut('prompts'),
					imageGeneration('Generate', parameters, { credentials, ...settings }),
				],
				chain('Webhook', 'Split Out', 'Generate'),
			),
			`/webhook/${path}`,
		);
		return { id, table };
	};
	const asked = (prompt: string) =>
		fixture.calls().filter(({ fields }) => fields.text === prompt).length;
	const begin: LoggedPrompts['begin'] = async (path, table) => {
		fixture.sandbox.arm({ fault: 'hang', after: 2 });
		await callWebhook(fixture, path, { prompts });
		await until('the third is in progress', () => asked('a crow') === 1);
		await until('two are in the table', async () => {
			const rows = await rowsOfTable(fixture, table).catch(() => []);
			return rows.filter(({ state }) => state === 'bought').length === 2;
		});
	};
	return { publish, begin, asked };
}
