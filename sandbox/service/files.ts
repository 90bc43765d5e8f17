import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file that a tool made, ready for download. */
export interface Output {
	readonly file: string;
	readonly mimeType: string;
}

/** The sandbox's temporary folder, which holds calls in progress and every output. */
export class Files {
	private readonly byJob = new Map<string, Output>();

	private constructor(private readonly folder: string) {}

	static async open(): Promise<Files> {
		return new Files(await mkdtemp(join(tmpdir(), 'image-sandbox-')));
	}

	/** Makes a folder for the files of a call, which the call removes. */
	makeFolder(): string {
		const folder = join(this.folder, `call-${randomUUID()}`);
		mkdirSync(folder);
		return folder;
	}

	/** Takes over the file that a job has made. */
	async store(jobId: string, made: string, mimeType: string): Promise<void> {
		const file = join(this.folder, jobId);
		await rename(made, file);
		this.byJob.set(jobId, { file, mimeType });
	}

	find(jobId: string): Output | undefined {
		return this.byJob.get(jobId);
	}

	/** @throws Error if no job has this id */
	async read(jobId: string): Promise<Buffer> {
		const output = this.byJob.get(jobId);
		if (!output) throw new Error(`There is no job ${jobId}.`);
		return await readFile(output.file);
	}

	/** Removes a file, or a folder with its files. */
	async remove(path: string): Promise<void> {
		await rm(path, { recursive: true, force: true, maxRetries: 3 });
	}

	/** Removes every output. */
	async clear(): Promise<void> {
		const outputs = [...this.byJob.values()];
		this.byJob.clear();
		await Promise.all(outputs.map(async ({ file }) => await this.remove(file)));
	}

	async close(): Promise<void> {
		await this.remove(this.folder);
	}
}
