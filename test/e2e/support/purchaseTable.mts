import assert from 'node:assert/strict';
import type { Fixture } from './fixture.mjs';

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
