import type { Fixture } from './fixture.mjs';

/** The columns that docs/costs.md lists. */
const columns = [
	...['image', 'link', 'state', 'operation', 'workflow', 'execution'],
	...['node', 'request', 'job', 'run', 'entry', 'result'],
];

/** A row of a purchase log. */
export type LoggedRow = Record<string, string>;

/** Creates a table, as users of n8n 1 do in the editor. @returns its id */
export async function createTable(fixture: Fixture, name: string): Promise<string> {
	const { id: project } = (await fixture.session.get('/projects/personal')) as { id: string };
	const { id } = (await fixture.session.post(`/projects/${project}/data-tables`, {
		name,
		columns: columns.map((column) => ({ name: column, type: 'string' })),
	})) as { id: string };
	return id;
}

/** The rows of a table, by its name. */
export async function rowsOfTable(fixture: Fixture, name: string): Promise<LoggedRow[]> {
	const { id: project } = (await fixture.session.get('/projects/personal')) as { id: string };
	const { data } = (await fixture.session.get(`/projects/${project}/data-tables`)) as {
		data: Array<{ id: string; name: string }>;
	};
	const table = data.find((each) => each.name === name)?.id ?? 'none';
	const query = new URLSearchParams({ take: '100' });
	const found = (await fixture.session.get(
		`/projects/${project}/data-tables/${table}/rows?${query.toString()}`,
	)) as { data: LoggedRow[] };
	return found.data;
}
