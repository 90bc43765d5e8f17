import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Container } from '@n8n/di';
import { BinaryDataConfig } from 'n8n-core';
import type { IContextObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NODE, useEngine, type EngineRun } from '../support/engine';
import { gif } from '../support/images';
import { N8nTables } from '../support/n8nTables';
import { hintsOf, idsOf } from '../support/runs';
// What the node wrote on 2026-11-28. Examples are never changed: if what the node writes changes, new ones are added.
import stored from './storedData.json';

const engine = useEngine();
/** Nothing listens there, so that a run which wants to buy ends with an error. */
const credential = { baseUrl: stored.baseUrl, apiKey: 'test-key' };
const LOG = 'Image Purchases';
const HOUR = 60 * 60 * 1000;

type Stored = Omit<EngineRun, 'credential' | 'items'> & {
	what: string;
	items: INodeExecutionData[];
	context: IContextObject & {
		imagesBought: number;
		finishedJobs: Array<[keys: string, result: { id: string }, entry: string]>;
	};
};
const executions = stored.executions as unknown as Stored[];

const withOptions = (parameters: INodeParameters, options: INodeParameters): INodeParameters => ({
	...parameters,
	options: { ...(parameters.options as INodeParameters | undefined), ...options },
});

/** n8n's storage has the file of the stored example. */
async function restoreFile(): Promise<void> {
	const { id = '' } = executions.flatMap(({ items }) => items[0]?.binary?.data ?? [])[0] ?? {};
	const path = join(Container.get(BinaryDataConfig).localStoragePath, id.split(':')[1] ?? '');
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, gif('boot'));
	const metadata = { fileName: 'boot.gif', mimeType: 'image/gif', fileSize: gif('boot').length };
	await writeFile(`${path}.metadata`, JSON.stringify(metadata));
}

/** Retries an execution that a node of that version has left, with more options. */
async function retryStored(
	{ parameters, items, context }: Pick<Stored, 'parameters' | 'items' | 'context'>,
	options: INodeParameters = {},
) {
	await restoreFile();
	const what = { credential, items: structuredClone(items) };
	const failed = await engine().run({
		...what,
		parameters: withOptions(parameters, { timeout: 0 }),
	});
	expect(failed.error?.message).toContain('Timeout');
	const { contextData = {} } = failed.run.data.executionData ?? {};
	contextData[`node:${NODE}`] = structuredClone(context);
	return await engine().retry(failed, { ...what, parameters: withOptions(parameters, options) });
}

describe('Retry of an execution that an older version left, or every update buys its images again,', () => {
	it.each(executions)('uses $what', async (execution) => {
		const { error, rows } = await retryStored(execution);

		expect(error).toBeUndefined();
		expect(rows.map(({ json }) => json)).toMatchObject(
			execution.context.finishedJobs.map(([, result]) => result),
		);
	});

	it('uses an image whose URL has another signature', async () => {
		const execution = executions.find(({ parameters }) => parameters.inputType === 'url');
		if (execution === undefined) throw new Error('There is no such example');
		const items = execution.items.map(({ json: { photo } }) => ({
			json: { photo: (photo as string).replace('=abc', '=new') },
		}));
		const { error, rows } = await retryStored({ ...execution, items });

		expect(error).toBeUndefined();
		expect(rows).toHaveLength(1);
	});

	it('counts what it bought towards Max Images', async () => {
		const [execution] = executions;
		if (execution === undefined) throw new Error('There is no example');
		const items = [...execution.items, { json: { color: 'green' } }];
		const { error } = await retryStored({ ...execution, items }, { maxImages: 4 });

		expect(error?.message).toContain("'Max Images' is 4 and this execution has already bought 4");
	});
});

describe('a Purchase Log that an older version wrote, or every update forgets what it lists,', () => {
	const { generate, edit, rows } = stored.log;
	const shoes = (...colors: string[]) => colors.map((color) => ({ json: { color } }));
	const photo = { data: gif('shoe').toString('base64'), mimeType: 'image/gif' };

	/** An n8n with these rows. Only their times are new, because images are taken for 80 hours. */
	function tablesWithRows(): N8nTables {
		const tables = new N8nTables();
		const time = new Date(Date.now() - HOUR).toISOString();
		const table = tables.make(LOG);
		table.add(rows.map((row) => ({ ...row, time })));
		return tables;
	}

	const run = async (
		tables: N8nTables,
		parameters: object,
		items: INodeExecutionData[],
		options: INodeParameters = {},
	) =>
		await engine().run({
			parameters: withOptions(parameters as INodeParameters, { ...options, purchaseLog: LOG }),
			items,
			credential,
			tables,
		});

	it.each<[who: string, options: INodeParameters, isKnown: boolean[]]>([
		['what its own executions left, up to three times', {}, [true, true, false, false, false]],
		['with Always, all that it has', { reuse: 'always' }, [true, true, true, false, true]],
	])('lets a run use %s', async (_who, options, isKnown) => {
		const items = shoes('red', 'blue', 'green', 'black', 'white');
		const dryRun = { ...options, dryRun: true };
		const result = await run(tablesWithRows(), generate, items, dryRun);

		expect(result.rows.map(({ json }) => json.alreadyBought)).toStrictEqual(isKnown);
	});

	it('lets a run take an image, name its file as before, and tell once what may have been charged', async () => {
		const tables = tablesWithRows();
		const result = await run(tables, generate, shoes('red', 'blue'));
		const names = result.rows.map(({ json }) => json.fileName);

		expect(names).toStrictEqual(['a-red-shoe-v3jmam.jpg', 'a-blue-shoe-1unod7.jpg']);
		expect(hintsOf(result)).toStrictEqual([
			expect.stringMatching(/^2 images were kept /),
			expect.stringMatching(/^1 request .* may have been charged: Item 4, /),
		]);
		const [red, , , black] = tables.table(LOG).rows.filter(({ id }) => id <= Number(rows[3]?.id));
		expect(red).toMatchObject({ state: 'delivered', taken: '1' });
		expect(black).toMatchObject({ state: 'sent', told: 'yes' });
	});

	it('lets a run take the image of a file', async () => {
		const result = await run(tablesWithRows(), edit, [{ json: {}, binary: { photo } }]);

		expect(result.error).toBeUndefined();
		const { id } = JSON.parse(rows[5]?.result ?? '') as { id: string };
		expect(idsOf(result)).toStrictEqual([id]);
	});
});
