import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { IBinaryData } from 'n8n-workflow';
import { installHost, type Host } from '../scripts/host/installHost.mjs';
import { cache, root } from '../scripts/tools/checkout.mjs';
import { atEnd } from '../scripts/tools/ending.mjs';
import { npm } from '../scripts/tools/npm.mjs';
import { PlainError } from '../scripts/tools/PlainError.mjs';
import { run } from '../scripts/tools/run.mjs';
import { pack, type Packed } from '../test/package/pack.js';
import type { Images, Job, Measurement, StoreJob, TextJob } from './job.mjs';
import { startService } from './startService.mjs';

/** A job as a part of the benchmark defines it. The lab adds the rest. */
export type Task = Pick<Job, 'contender' | 'images' | 'items' | 'concurrency'> & Partial<Job>;

const folder = join(cache, 'bench');

/** The setup for measurements: n8n with its Node, the packed package, and n8n's storage. */
export class Lab {
	private readonly storage = join(folder, 'storage');
	private readonly stored = new Map<string, Promise<Images>>();

	private constructor(
		readonly host: Host,
		readonly packed: Packed,
		/** The folder of another build, to be measured beside this checkout's. */
		readonly other: string | undefined,
	) {}

	/**
	 * Installs, builds and packs what is measured. Removes its files when the process ends.
	 * @param against another built checkout to measure beside this one
	 */
	static async open(against?: string): Promise<Lab> {
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true });
		atEnd(() => rmSync(folder, { recursive: true, force: true }));
		const host = await installHost('n8n-2');
		console.log('Building and packing the package …');
		await npm(['run', 'build'], { cwd: root });
		const packed = pack(root);
		atEnd(() => packed.remove());
		const other = against === undefined ? undefined : copyBuild(against);
		for (const build of [packed.folder, other]) {
			if (build !== undefined) linkWorkflow(host, build);
		}
		return new Lab(host, packed, other);
	}

	/** Returns images in n8n's storage, or in the items themselves, created on the first call. */
	async images(bytes: number, count: number, isInItem = false): Promise<Images> {
		const key = `${bytes}×${count} ${isInItem}`;
		const { storage } = this;
		const images = this.stored.get(key) ?? this.store({ storage, bytes, count, isInItem });
		this.stored.set(key, images);
		return await images;
	}

	/** By default, the warm-up is a run with the same items. */
	async measure(task: Task & Pick<Job, 'service'>): Promise<Measurement> {
		const job: Job = {
			package: this.packed.folder,
			executions: 1,
			warmUp: { images: task.images, items: task.items },
			watchMemory: false,
			...task,
			storage: this.storage,
		};
		return (await this.runInside('measure', job)) as Measurement;
	}

	/** Measures with a service of its own, whose files are gone afterwards. */
	async measureAlone(task: Task): Promise<Measurement> {
		const service = await startService(0);
		try {
			return await this.measure({ ...task, service: service.url });
		} finally {
			await service.stop();
		}
	}

	/** Measures how long a text blocks n8n: one number for each way to select images. */
	async measureText(job: TextJob): Promise<number[]> {
		return (await this.runInside('longTexts', job)) as number[];
	}

	private async store(job: StoreJob): Promise<Images> {
		return { bytes: job.bytes, binaries: (await this.runInside('store', job)) as IBinaryData[] };
	}

	/** Runs a program of `inside/` in a new process and parses the last line it prints. */
	private async runInside(program: string, job: Job | StoreJob | TextJob): Promise<unknown> {
		const file = join(folder, 'job.json');
		writeFileSync(file, JSON.stringify(job));
		const printed = await run(
			this.host.node,
			['--expose-gc', '--import', './scripts/tsx.mjs', `bench/inside/${program}.mts`, file],
			{ cwd: root, env: environment() },
		);
		return JSON.parse(printed.trim().split('\n').at(-1) ?? '');
	}
}

/** @throws PlainError unless a build of the package is in the folder */
function copyBuild(checkout: string): string {
	const from = resolve(checkout);
	const copy = join(folder, 'other');
	if (!existsSync(join(from, 'dist', 'nodes', 'ImageGeneration', 'ImageGeneration.node.js'))) {
		throw new PlainError(
			`--against is ${from}, where no build of this package is. Give a checkout of another ` +
				'commit in which `npm run build` has run.',
		);
	}
	mkdirSync(copy, { recursive: true });
	for (const name of ['package.json', 'dist']) {
		cpSync(join(from, name), join(copy, name), { recursive: true });
	}
	return copy;
}

/** As in n8n, where all nodes share one n8n-workflow. */
function linkWorkflow(host: Host, build: string): void {
	mkdirSync(join(build, 'node_modules'));
	symlinkSync(
		join(host.folder, 'node_modules', 'n8n-workflow'),
		join(build, 'node_modules', 'n8n-workflow'),
		'junction',
	);
}

/** The environment for measurements, without settings of n8n and without a proxy. */
function environment(): NodeJS.ProcessEnv {
	const { HOME, LANG, PATH, SystemRoot, TEMP, TMP, TMPDIR } = process.env;
	const system = { HOME, LANG, PATH, SystemRoot, TEMP, TMP, TMPDIR };
	return { ...system, N8N_LOG_LEVEL: 'silent', N8N_USER_FOLDER: join(folder, 'home') };
}
