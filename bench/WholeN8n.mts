import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import getPort from 'get-port';
import { installPackage } from '../scripts/host/installPackage.mjs';
import { cache, root } from '../scripts/tools/checkout.mjs';
import { N8nApi } from '../test/support/wholeN8n/N8nApi.mjs';
import { imageGeneration, stock, webhook } from '../test/support/wholeN8n/nodes.mjs';
import {
	INSTALLED,
	ownN8n,
	type Closer,
	type TestedN8n,
} from '../test/support/wholeN8n/testedN8n.mjs';
import { workflow } from '../test/support/wholeN8n/workflow.mjs';
import type { Lab } from './Lab.mjs';

/** What `inside/watchMainThread.mjs` tells, in milliseconds. */
interface Look {
	/** The longest time for which the main thread was busy since the last look. */
	longest: number;
	/** Processor time of the process so far, of all its threads. */
	used: number;
	/** When this was. */
	at: number;
}

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

/** A published workflow. */
export interface PublishedWorkflow {
	/** Runs it with the images at these URLs. */
	run(images: readonly string[]): Promise<WholeRun>;
	/** Runs it and waits for the response, without asking n8n in between. */
	start(images: readonly string[]): Promise<void>;
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
	 * Publishes a workflow that removes the background of images.
	 * @param path the workflow's name and its webhook's path
	 * @param service URL of the service
	 */
	async publish(path: string, service: string, options: NodeOptions): Promise<PublishedWorkflow> {
		const account = { baseUrl: service, apiKey: 'test-key' };
		const credential = await this.api.createCredential(path, 'imageGenerationApi', account);
		const credentials = { imageGenerationApi: { id: credential, name: path } };
		const parameters = { operation: 'removeBackground', options };
		const nodes = [
			webhook(path),
			stock('Split Out', 'splitOut', 1, { fieldToSplitOut: 'body.images', options: {} }),
			stock('Get Images', 'httpRequest', 4.2, {
				url: `={{ $json['body.images'] }}`,
				options: {
					response: { response: { responseFormat: 'file' } },
					// All at once, they keep the main thread busy for longer than the node does (2.41.1).
					batching: { batch: { batchSize: 1, batchInterval: 10 } },
				},
			}),
			imageGeneration('Remove Background', parameters, { credentials }),
		];
		const address = `/webhook/${path}`;
		const id = await this.api.publish(workflow(path, nodes), address);
		const start: PublishedWorkflow['start'] = async (images) => {
			const answer = await fetch(`${this.n8n.n8n.url}${address}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ images }),
			});
			if (!answer.ok) throw new Error(await answer.text());
		};
		const run: PublishedWorkflow['run'] = async (images) => {
			await this.look();
			const { data } = await this.api.run(id, async () => await start(images));
			const [node] = data.resultData.runData['Remove Background'] ?? [];
			const { longest } = await this.look();
			const delivered = node?.data?.main?.[0]?.length ?? 0;
			if (delivered !== images.length) {
				throw new Error(`Only ${delivered} of ${images.length} images came.`);
			}
			return { seconds: (node?.executionTime ?? NaN) / 1000, busy: longest };
		};
		return { run, start };
	}

	/** The share of one core that n8n's main process uses in the next seconds. */
	async shareOfCore(seconds: number): Promise<number> {
		const before = await this.look();
		await sleep(seconds * 1000);
		const after = await this.look();
		return (after.used - before.used) / (after.at - before.at);
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

	/** What the main process did since the last look. */
	private async look(): Promise<Look> {
		const answer = await fetch(this.watch);
		return (await answer.json()) as Look;
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
