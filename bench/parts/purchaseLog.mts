import { join } from 'node:path';
import { installPackage } from '../../scripts/host/installPackage.mjs';
import { cache } from '../../scripts/tools/checkout.mjs';
import { atEnd } from '../../scripts/tools/ending.mjs';
import { N8nApi } from '../../test/e2e/support/N8nApi.mjs';
import { imageGeneration, stock, webhook } from '../../test/e2e/support/nodes.mjs';
import { INSTALLED, ownN8n, type Closer } from '../../test/e2e/support/testedN8n.mjs';
import { workflow } from '../../test/e2e/support/workflow.mjs';
import type { StartPart } from '../part.mjs';
import { startService } from '../startService.mjs';

const SECONDS = 1;
const ITEMS = 50;
const FEW_ITEMS = 5;

type Row = Record<string, unknown>;

/** What a Purchase Log costs, in a whole n8n with SQLite. */
export const purchaseLog: StartPart = async (lab) => {
	const place = { folder: join(cache, 'bench-package'), fileAccess: [] };
	await installPackage(place, lab.packed.tarball);
	process.env[INSTALLED] = place.folder;
	const service = await startService(SECONDS * 1000);
	const closers: Closer[] = [service.stop];
	const end = async () => {
		for (const close of closers.splice(0).reverse()) await close();
	};
	atEnd(end);
	const n8n = await ownN8n('n8n-2', 'bench', closers, () => Promise.resolve({}));
	const { session } = n8n;
	const api = new N8nApi(session, n8n.apiKey);
	const account = { baseUrl: service.url, apiKey: 'test-key' };
	const credential = await api.createCredential('Bench', 'imageGenerationApi', account);
	const credentials = { imageGenerationApi: { id: credential, name: 'Bench' } };
	const { id: project } = (await session.get('/projects/personal')) as { id: string };
	const tables = `/projects/${project}/data-tables`;

	/** Publishes a workflow. @returns a function that runs it, and the last id of its executions */
	const publish = async (path: string, items: number, options: Row) => {
		const prompts = Array.from({ length: items }, (_, item) => `Image ${item}`);
		const jsonOutput = JSON.stringify({ prompts });
		const prompt = '={{ $json.prompts }}';
		const parameters = { operation: 'generate', prompt, size: '128x128', options };
		const nodes = [
			webhook(path),
			stock('Prompts', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
			stock('Split Prompts', 'splitOut', 1, { fieldToSplitOut: 'prompts' }),
			imageGeneration('Generate', parameters, { credentials }),
		];
		const address = `/webhook/${path}`;
		const workflowId = await api.publish(workflow(path, nodes), address);
		return async () => {
			const { id, data } = await api.run(workflowId, async () => {
				const answer = await fetch(`${n8n.n8n.url}${address}`, { method: 'POST' });
				if (!answer.ok) throw new Error(await answer.text());
			});
			const [run] = data.resultData.runData.Generate ?? [];
			return { seconds: (run?.executionTime ?? NaN) / 1000, id: Number(id) };
		};
	};
	const nothing = await publish('nothing', 1, { dryRun: true });

	const caseOf = async (name: string, items: number, options: Row, rows = 0) => {
		const path = name.replace(/\W+/g, '-');
		const log = options.purchaseLog === true && { purchaseLog: path };
		const run = await publish(path, items, { ...options, ...log });
		await run();
		if (rows > 0) await fill(path, rows);
		return {
			name,
			measure: async () => {
				const { seconds, id } = await run();
				// Inline runs have ids of their own, although n8n doesn't keep them.
				return [seconds, (await nothing()).id - id - 1];
			},
		};
	};
	/** Adds copies of the table's first row. */
	const fill = async (name: string, count: number) => {
		const { data } = (await session.get(tables)) as { data: Array<{ id: string; name: string }> };
		const table = `${tables}/${data.find((each) => each.name === name)?.id ?? ''}`;
		const found = (await session.get(`${table}/rows?take=1`)) as { data: Row[] };
		const own = new Set(['id', 'createdAt', 'updatedAt']);
		const written = Object.entries(found.data[0] ?? {}).filter(([column]) => !own.has(column));
		const row = Object.fromEntries(written);
		for (let first = 0; first < count; first += 1000) {
			const copies = Array.from({ length: Math.min(1000, count - first) }, (_, copy) => ({
				...row,
				request: `${first + copy}`,
				entry: `copy ${first + copy}`,
			}));
			await session.post(`${table}/insert`, { data: copies, returnType: 'count' });
		}
	};
	const groups = await Promise.all(
		[5, 25].map(async (concurrency) => ({
			without: await caseOf(`${concurrency} at once`, ITEMS, { concurrency }),
			with: await caseOf(`${concurrency} at once, with a log`, ITEMS, {
				concurrency,
				purchaseLog: true,
			}),
			most: { 5: 1.1, 25: 1.2 }[concurrency] ?? NaN,
			calls: 2 + ITEMS / concurrency,
		})),
	);
	const filled = async (rows: number) =>
		await caseOf(`${FEW_ITEMS} images, ${rows} rows`, FEW_ITEMS, { purchaseLog: true }, rows);
	const [small, large] = await Promise.all([filled(100), filled(10_000)]);
	return {
		title: '(g) A Purchase Log',
		about:
			`${ITEMS} images in a whole n8n with SQLite. The service takes ${SECONDS} s for each. Calls are ` +
			'the inline sub-workflows by which the node reads and writes the table.',
		head: '',
		figures: [
			{ name: 'Seconds', digits: 2 },
			{ name: 'Calls', digits: 0 },
		],
		cases: [...groups.flatMap((group) => [group.without, group.with]), small, large],
		goals: [
			...groups.flatMap(({ with: of, without: to, most, calls }) => [
				{ of, figure: 0, to, max: most },
				{ of, figure: 1, max: calls },
			]),
			{ of: large, figure: 0, to: small, max: 1.5 },
		],
		end,
	};
};
