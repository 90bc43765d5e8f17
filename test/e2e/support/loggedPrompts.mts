import type { Execution } from './execution.mjs';
import type { Fixture } from './fixture.mjs';
import { itsPrompt, splitOut, webhook } from './nodes.mjs';
import { createTable, rowsOfTable } from './purchaseTable.mjs';
import { until } from './until.mjs';
import type { WorkflowNode } from './workflow.mjs';

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
	/** Runs it. @returns the execution, once it has finished */
	run: (path: string, id: string, prompts?: string[]) => Promise<Execution>;
}

/** What the executions of a path ask for. */
export const promptsOf = (path: string): [string, string, string, string] => [
	`${path} fox`,
	`${path} hare`,
	`${path} crow`,
	`${path} owl`,
];

/** @param makesTable whether the node makes the table, as in n8n 2 */
export function loggedPrompts(fixture: Fixture, makesTable: boolean): LoggedPrompts {
	const publish: LoggedPrompts['publish'] = async (path, options = {}, settings = {}) => {
		// SQLite does not know this capital.
		const table = `Übersicht ${path}`;
		const purchaseLog = makesTable ? table : await createTable(fixture, table);
		const parameters = {
			operation: 'generate',
			prompt: itsPrompt,
			size: '128x128',
			options: { concurrency: 1, purchaseLog, ...options },
		};
		const node = fixture.node('Generate', parameters, settings);
		return { id: await fixture.publish([webhook(path, 'onReceived'), splitOut, node]), table };
	};
	const begin: LoggedPrompts['begin'] = async (path, table) => {
		const prompts = promptsOf(path);
		fixture.sandbox.arm({ fault: 'hang', when: prompts[2] });
		await fixture.call(path, { prompts });
		await until('the third is in progress', () => fixture.calls(prompts[2]).length === 1);
		await until('two are in the table', async () => {
			const rows = await rowsOfTable(fixture, table).catch(() => []);
			return rows.filter(({ state }) => state === 'bought').length === 2;
		});
	};
	const run: LoggedPrompts['run'] = async (path, id, prompts = promptsOf(path)) =>
		await fixture.api.run(id, () => fixture.call(path, { prompts }));
	return { publish, begin, run };
}
