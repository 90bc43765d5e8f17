import type { Fixture } from './fixture.mjs';

/** A row of a data table. */
export type TableRow = Record<string, string | number | boolean | null>;

/** A column of a data table, as n8n's editor creates it. */
interface Column {
	name: string;
	type: string;
}

/** Creates a table with text columns. @returns its id */
export async function createTable(
	fixture: Fixture,
	name: string,
	columns: readonly string[],
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

/** Adds rows. A cell that somebody cleared is `null`. */
export async function insertRows(
	fixture: Fixture,
	name: string,
	rows: readonly TableRow[],
): Promise<void> {
	const path = await pathOf(fixture, name);
	await fixture.session.post(`${path}/insert`, { data: rows, returnType: 'count' });
}

export async function deleteTable(fixture: Fixture, name: string): Promise<void> {
	await fixture.session.delete(await pathOf(fixture, name));
}

export async function rowsOfTable(fixture: Fixture, name: string): Promise<TableRow[]> {
	const path = `${await pathOf(fixture, name)}/rows?take=250`;
	return ((await fixture.session.get(path)) as { data: TableRow[] }).data;
}

/** The names of a table's columns in the order that people see, without n8n's own. */
export async function columnsOf(fixture: Fixture, name: string): Promise<string[]> {
	const columns = (await fixture.session.get(`${await pathOf(fixture, name)}/columns`)) as Column[];
	return columns.map((column) => column.name);
}

async function pathOf(fixture: Fixture, name: string): Promise<string> {
	const tables = await tablesPath(fixture);
	const { data } = (await fixture.session.get(`${tables}?take=250`)) as {
		data: Array<{ id: string; name: string }>;
	};
	return `${tables}/${data.find((each) => each.name === name)?.id ?? 'none'}`;
}

async function tablesPath(fixture: Fixture): Promise<string> {
	const { id } = (await fixture.session.get('/projects/personal')) as { id: string };
	return `/projects/${id}/data-tables`;
}
