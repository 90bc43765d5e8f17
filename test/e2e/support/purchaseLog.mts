import assert from 'node:assert/strict';
import type { Execution } from './execution.mjs';
import type { Fixture } from './fixture.mjs';
import { itsPrompt, splitOut, webhook } from './nodes.mjs';
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

/** The columns that docs/purchase-log.md lists. */
const logColumns = [
	...['image', 'link', 'state', 'operation', 'workflow', 'execution'],
	...['node', 'request', 'job', 'run', 'entry', 'result'],
];

/** A row of a purchase log. */
export type LoggedRow = Record<string, string>;

/** Creates a table, as users of n8n 1 do in the editor. @returns its id */
export async function createTable(
	fixture: Fixture,
	name: string,
	columns = logColumns,
): Promise<string> {
	const { id } = (await fixture.session.post(await tablesPath(fixture), {
		name,
		columns: columns.map((column) => ({ name: column, type: 'string' })),
	})) as { id: string };
	return id;
}

/** Where n8n's editor shows a table. */
export async function pageOfTable(fixture: Fixture, name: string): Promise<string> {
	return `${fixture.n8n.url}${(await pathOf(fixture, name)).replace('data-tables', 'datatables')}`;
}

/** Adds a row to a table. */
export async function insertRow(fixture: Fixture, name: string, row: LoggedRow): Promise<void> {
	const path = await pathOf(fixture, name);
	await fixture.session.post(`${path}/insert`, { data: [row], returnType: 'count' });
}

/** Deletes a table. */
export async function deleteTable(fixture: Fixture, name: string): Promise<void> {
	await change(fixture, name, { method: 'DELETE' });
}

/** Renames a table. */
export async function renameTable(fixture: Fixture, name: string, to: string): Promise<void> {
	await change(fixture, name, { method: 'PATCH', body: JSON.stringify({ name: to }) });
}

async function change(fixture: Fixture, name: string, request: RequestInit): Promise<void> {
	const { url, cookie } = fixture.session;
	const address = `${url}/rest${await pathOf(fixture, name)}`;
	const headers = { cookie, 'content-type': 'application/json' };
	const answer = await fetch(address, { ...request, headers });
	assert.ok(answer.ok, `n8n did not change ${name}`);
}

/** The rows of a table, by its name. */
export async function rowsOfTable(fixture: Fixture, name: string): Promise<LoggedRow[]> {
	const path = `${await pathOf(fixture, name)}/rows?take=100`;
	return ((await fixture.session.get(path)) as { data: LoggedRow[] }).data;
}

async function pathOf(fixture: Fixture, name: string): Promise<string> {
	const tables = await tablesPath(fixture);
	const { data } = (await fixture.session.get(tables)) as {
		data: Array<{ id: string; name: string }>;
	};
	return `${tables}/${data.find((each) => each.name === name)?.id ?? 'none'}`;
}

async function tablesPath(fixture: Fixture): Promise<string> {
	const { id } = (await fixture.session.get('/projects/personal')) as { id: string };
	return `/projects/${id}/data-tables`;
}
