import { join } from 'node:path';
import { run } from '../../../scripts/tools/run.mjs';
import type { Fixture } from './fixture.mjs';

/** A row of a data table. */
export type TableRow = Record<string, string | number | boolean | null>;

/** A column of a data table, as n8n's editor creates it. */
interface Column {
	name: string;
	type: string;
}

/** Columns that every table has. */
const OWN_COLUMNS = ['id', 'createdAt', 'updatedAt'];

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

/** Makes rows look as if n8n had stored and changed them so many days ago: its interface sets both dates itself. */
export async function ageRows(
	fixture: Fixture,
	name: string,
	rows: readonly TableRow[],
	days: number,
): Promise<void> {
	const { folder, node } = fixture.host;
	const database = join(fixture.files, '..', '..', '.n8n', 'database.sqlite');
	const table = `data_table_user_${(await pathOf(fixture, name)).split('/').at(-1) ?? ''}`;
	const script = `
		const { Database } = require('sqlite3');
		const [, file, table, date, ids] = process.argv;
		const database = new Database(file);
		database.configure('busyTimeout', 10000);
		const update = 'UPDATE "' + table + '" SET createdAt = ?, updatedAt = ? WHERE id IN (' + ids + ')';
		database.run(update, [date, date], (error) => { if (error) throw error; });`;
	const date = new Date(Date.now() - days * 86_400_000).toISOString();
	const stored = date.replace('T', ' ').replace('Z', '');
	const ids = rows.map(({ id }) => Number(id)).join(', ');
	await run(node, ['-e', script, database, table, stored, ids], { cwd: folder });
}

/** Downloads a table as CSV, and makes another one of it with the types that n8n proposes. @returns them */
export async function copyAsCsv(fixture: Fixture, name: string, to: string): Promise<Column[]> {
	const { session, n8n } = fixture;
	const { csvContent } = (await session.get(`${await pathOf(fixture, name)}/download-csv`)) as {
		csvContent: string;
	};
	const body = new FormData();
	body.append('file', new File([csvContent], `${name}.csv`, { type: 'text/csv' }));
	body.append('hasHeaders', 'true');
	const uploaded = await fetch(`${n8n.url}/rest/data-tables/uploads`, {
		method: 'POST',
		headers: { cookie: session.cookie },
		body,
	});
	const { data } = (await uploaded.json()) as { data: { id: string; columns: Column[] } };
	// As the editor does: n8n adds the others itself.
	const columns = data.columns
		.filter((column) => !OWN_COLUMNS.includes(column.name))
		.map((column) => ({ name: column.name, type: column.type, csvColumnName: column.name }));
	const table = { name: to, columns, fileId: data.id, hasHeaders: true };
	await session.post(await tablesPath(fixture), table);
	return columns;
}

export async function deleteTable(fixture: Fixture, name: string): Promise<void> {
	await fixture.session.delete(await pathOf(fixture, name));
}

export async function renameTable(fixture: Fixture, name: string, to: string): Promise<void> {
	await fixture.session.patch(await pathOf(fixture, name), { name: to });
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
