import { join } from 'node:path';
import { COLUMNS } from '../../../nodes/ImageGeneration/recall/purchaseTable.js';
import { run } from '../../../scripts/tools/run.mjs';
import type { Fixture } from './fixture.mjs';

/** A row of a data table. */
type TableRow = Record<string, string>;

/** Creates a table, as users of n8n 1 do in the editor. @returns its id */
export async function createTable(
	fixture: Fixture,
	name: string,
	columns: readonly string[] = Object.keys(COLUMNS),
): Promise<string> {
	const { id } = (await fixture.session.post(await tablesPath(fixture), {
		name,
		columns: columns.map((column) => ({ name: column, type: 'string' })),
	})) as { id: string };
	return id;
}

/** Prepares a Purchase Log. In n8n 2 the node makes its table. @returns what to enter in the option */
export async function preparePurchaseLog(fixture: Fixture, name: string): Promise<string> {
	const makesTable = fixture.host.version.startsWith('2.');
	return makesTable ? name : await createTable(fixture, name);
}

/** Where n8n's editor shows a table. */
export async function pageOfTable(fixture: Fixture, name: string): Promise<string> {
	return `${fixture.n8n.url}${(await pathOf(fixture, name)).replace('data-tables', 'datatables')}`;
}

export async function insertRow(fixture: Fixture, name: string, row: TableRow): Promise<void> {
	await insertRows(fixture, name, [row]);
}

/** Adds rows. A cell that somebody cleared is `null`. */
export async function insertRows(
	fixture: Fixture,
	name: string,
	rows: ReadonlyArray<Record<string, string | null>>,
): Promise<void> {
	const path = await pathOf(fixture, name);
	await fixture.session.post(`${path}/insert`, { data: rows, returnType: 'count' });
}

/** Makes rows look as if n8n had stored them so many days ago: its interface sets `createdAt` by itself. */
export async function ageRows(
	fixture: Fixture,
	name: string,
	image: string,
	days: number,
): Promise<void> {
	const { folder, node } = fixture.host;
	const database = join(fixture.files, '..', '..', '.n8n', 'database.sqlite');
	const table = `data_table_user_${(await pathOf(fixture, name)).split('/').at(-1) ?? ''}`;
	const script = `
		const { Database } = require('sqlite3');
		const database = new Database(process.argv[1]);
		database.configure('busyTimeout', 10000);
		const update = 'UPDATE "' + process.argv[2] + '" SET createdAt = ? WHERE image = ?';
		database.run(update, process.argv.slice(3), (error) => { if (error) throw error; });`;
	const date = new Date(Date.now() - days * 86_400_000).toISOString();
	const stored = date.replace('T', ' ').replace('Z', '');
	await run(node, ['-e', script, database, table, stored, image], { cwd: folder });
}

export async function deleteTable(fixture: Fixture, name: string): Promise<void> {
	await fixture.session.delete(await pathOf(fixture, name));
}

export async function renameTable(fixture: Fixture, name: string, to: string): Promise<void> {
	await fixture.session.patch(await pathOf(fixture, name), { name: to });
}

export async function rowsOfTable(fixture: Fixture, name: string): Promise<TableRow[]> {
	const path = `${await pathOf(fixture, name)}/rows?take=100`;
	return ((await fixture.session.get(path)) as { data: TableRow[] }).data;
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
