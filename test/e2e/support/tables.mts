import { COLUMNS } from '../../../nodes/ImageGeneration/recall/purchaseTable.js';
import type { Fixture } from './fixture.mjs';

/** A row of a data table. */
type TableRow = Record<string, string>;

/** Creates a table, as users of n8n 1 do in the editor. @returns its id */
export async function createTable(
	fixture: Fixture,
	name: string,
	columns: readonly string[] = COLUMNS,
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
	const path = await pathOf(fixture, name);
	await fixture.session.post(`${path}/insert`, { data: [row], returnType: 'count' });
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
