import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Output } from '../../types';
import { folderPrefix, removeLeftovers } from './leftovers';

/** A file that a tool made, ready for download. */
export class StoredOutput implements Output {
	constructor(
		readonly file: string,
		readonly mimeType: string,
		readonly size: number,
		/** The API key that paid for it. */
		readonly key: string,
	) {}

	get bytes(): Buffer {
		return readFileSync(this.file);
	}
}

/** The sandbox's temporary folder, which holds calls in progress and every output. */
export class Files {
	readonly byJob = new Map<string, StoredOutput>();
	private readonly byPath = new Map<string, StoredOutput>();

	private constructor(private readonly folder: string) {}

	static async open(): Promise<Files> {
		await removeLeftovers();
		return new Files(await mkdtemp(folderPrefix));
	}

	/** Makes a folder for the files of a call, which the call removes. */
	makeFolder(): string {
		const folder = join(this.folder, `call-${randomUUID()}`);
		mkdirSync(folder);
		return folder;
	}

	/** Takes over a file that a tool made. It has no URL until it is published. */
	async store(made: string, mimeType: string, key: string): Promise<StoredOutput> {
		const file = join(this.folder, `output-${randomUUID()}`);
		await rename(made, file);
		return new StoredOutput(file, mimeType, (await stat(file)).size, key);
	}

	/** Makes a job's output available at this path. */
	publish(jobId: string, path: string, output: StoredOutput): void {
		this.byJob.set(jobId, output);
		this.byPath.set(path, output);
	}

	find(path: string): StoredOutput | undefined {
		return this.byPath.get(path);
	}

	/** @throws Error if no job has this id */
	async read(jobId: string): Promise<Buffer> {
		const output = this.byJob.get(jobId);
		if (!output) throw new Error(`There is no job ${jobId}.`);
		return await readFile(output.file);
	}

	/** Removes a file, or a folder with its files. */
	async remove(path: string): Promise<void> {
		await rm(path, {
			recursive: true,
			force: true,
			maxRetries: 3,
		});
	}

	/** Removes every output, or those of one key. */
	async clear(key?: string): Promise<void> {
		const outputs = [...this.byJob.values()].filter(
			(output) => key === undefined || output.key === key,
		);
		for (const known of [this.byJob, this.byPath]) {
			for (const [name, output] of known) if (outputs.includes(output)) known.delete(name);
		}
		await Promise.all(outputs.map(async ({ file }) => await this.remove(file)));
	}

	async close(): Promise<void> {
		await this.remove(this.folder);
	}
}
