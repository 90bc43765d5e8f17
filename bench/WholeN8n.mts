import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import getPort from 'get-port';
import { installPackage } from '../scripts/host/installPackage.mjs';
import { cache, root } from '../scripts/tools/checkout.mjs';
import { N8nApi } from '../test/e2e/support/N8nApi.mjs';
import { imageGeneration, stock, webhook } from '../test/e2e/support/nodes.mjs';
import { INSTALLED, ownN8n, type Closer, type TestedN8n } from '../test/e2e/support/testedN8n.mjs';
import { workflow } from '../test/e2e/support/workflow.mjs';
import { pngLike } from './inside/pngLike.mjs';
import type { Lab } from './Lab.mjs';

/** Size of each image. */
const BYTES = 1000;

/** A row of a data table, by column. */
type Row = Record<string, unknown>;

/** Options of the node. */
export type NodeOptions = Record<string, unknown>;

/** A run of the node in a published workflow. */
export interface WholeRun {
	/** How long the node took, in seconds. */
	seconds: number;
	/** The longest time for which n8n's main thread was busy, in milliseconds. */
	busy: number;
}

/** An n8n with SQLite and a build of the package, to measure what needs more than n8n's engine. */
export class WholeN8n {
	private constructor(
		private readonly n8n: TestedN8n,
		private readonly api: N8nApi,
		/** The API's path of the owner's data tables. */
		private readonly tables: string,
		/** Where `inside/watchMainThread.mjs` answers. */
		private readonly watch: string,
	) {}

	/**
	 * Starts it.
	 * @param build folder of the unpacked package
	 * @param closers stop it, called in reverse order
	 * @param id tells several with the same build apart
	 */
	static async start(lab: Lab, build: string, closers: Closer[], id = ''): Promise<WholeN8n> {
		const name = `${build === lab.other ? 'bench-other' : 'bench'}${id}`;
		const place = { folder: join(cache, `${name}-package`), fileAccess: [] };
		await installPackage(place, lab.packed.tarball);
		if (build === lab.other) replaceBuild(place.folder, build);
		process.env[INSTALLED] = place.folder;
		const port = await getPort({ host: '127.0.0.1' });
		const program = pathToFileURL(join(root, 'bench', 'inside', 'watchMainThread.mjs'));
		const settings = { NODE_OPTIONS: `--import=${program.href}`, WATCH_PORT: String(port) };
		const n8n = await ownN8n('n8n-2', name, closers, () => Promise.resolve(settings));
		const api = new N8nApi(n8n.session, n8n.apiKey);
		const { id: project } = (await n8n.session.get('/projects/personal')) as { id: string };
		const tables = `/projects/${project}/data-tables`;
		return new WholeN8n(n8n, api, tables, `http://127.0.0.1:${port}`);
	}

	/**
	 * Publishes a workflow that removes the background of small images, all of them different.
	 * @param path the workflow's name and its webhook's path
	 * @param service URL of the service
	 * @param items how many images it has at most
	 * @returns a function that runs it with so many of them
	 */
	async publish(
		path: string,
		service: string,
		items: number,
		options: NodeOptions,
	): Promise<(count: number) => Promise<WholeRun>> {
		const account = { baseUrl: service, apiKey: 'test-key' };
		const credential = await this.api.createCredential(path, 'imageGenerationApi', account);
		const credentials = { imageGenerationApi: { id: credential, name: path } };
		const parameters = { operation: 'removeBackground', options };
		const images = Array.from({ length: items }, (_, item) =>
			Buffer.concat([...pngLike(BYTES, `${path} ${item}`)]).toString('base64'),
		);
		const jsonOutput = JSON.stringify({ images });
		const asFile = { fileName: 'image.png', mimeType: 'image/png' };
		const nodes = [
			webhook(path),
			stock('Images', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
			stock('Split Images', 'splitOut', 1, { fieldToSplitOut: 'images' }),
			stock('First Ones', 'limit', 1, { maxItems: `={{ $('Webhook').first().json.body.items }}` }),
			stock('As Files', 'convertToFile', 1.1, {
				operation: 'toBinary',
				sourceProperty: 'images',
				options: asFile,
			}),
			imageGeneration('Remove Background', parameters, { credentials }),
		];
		const address = `/webhook/${path}`;
		const id = await this.api.publish(workflow(path, nodes), address);
		return async (count) => {
			await this.longestBusy();
			const { data } = await this.api.run(id, async () => {
				const answer = await fetch(`${this.n8n.n8n.url}${address}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ items: count }),
				});
				if (!answer.ok) throw new Error(await answer.text());
			});
			const [run] = data.resultData.runData['Remove Background'] ?? [];
			const busy = await this.longestBusy();
			const delivered = run?.data?.main?.[0]?.length ?? 0;
			if (delivered !== count) throw new Error(`Only ${delivered} of ${count} images came.`);
			return { seconds: (run?.executionTime ?? NaN) / 1000, busy };
		};
	}

	/** Adds copies of a data table's first row. */
	async fill(name: string, count: number): Promise<void> {
		const { session } = this.n8n;
		const { data } = (await session.get(this.tables)) as {
			data: Array<{ id: string; name: string }>;
		};
		const table = `${this.tables}/${data.find((each) => each.name === name)?.id ?? ''}`;
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
	}

	/** Since the last call, in milliseconds. */
	private async longestBusy(): Promise<number> {
		const answer = await fetch(this.watch);
		return Number(await answer.text());
	}
}

/** Puts another build in the place of an installed one. */
function replaceBuild(folder: string, build: string): void {
	const installed = join(folder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-image-generation');
	rmSync(join(installed, 'dist'), { recursive: true });
	cpSync(join(build, 'dist'), join(installed, 'dist'), { recursive: true });
	// So the next one is installed again, although its tarball is the same.
	rmSync(join(folder, '.n8n', 'nodes', 'node_modules', '.installed-tarball'));
}
