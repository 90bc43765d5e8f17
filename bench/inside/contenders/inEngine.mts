import type { INodeExecutionData } from 'n8n-workflow';
import type { Images, Job } from '../../job.mjs';
import { execute, startExpressions, type Flow } from '../engine.mjs';
import { openStorage } from '../storage.mjs';

/** Items that are ready to process. */
export interface Batch {
	/** Processes the items. Measured; can be called again. */
	run(): Promise<void>;
	/** Returns the sizes of the resulting images, in order. */
	sizes(): Promise<number[]>;
}

// Fills each item's JSON to 1 kB.
const NOTE = 'x'.repeat(970);

/** A contender that runs a workflow in n8n's engine. */
export function inEngine(flowOf: (job: Job) => Flow) {
	return async (job: Job) => {
		const storage = await openStorage(job.storage);
		await startExpressions();
		const credential = { baseUrl: job.service, apiKey: 'test-key' };
		const flow = flowOf(job);
		const sizeOf = async ({ binary }: INodeExecutionData) =>
			(await storage.getMetadata(binary?.data?.id ?? '')).fileSize;
		return {
			prepare(count: number, images: Images): Batch {
				const items = itemsOf(count, images);
				let rows: INodeExecutionData[] = [];
				return {
					run: async () => {
						rows = await execute(flow, items, credential);
					},
					sizes: async () => await Promise.all(rows.map(sizeOf)),
				};
			},
		};
	};
}

/** An item for each image. */
function itemsOf(count: number, { binaries }: Images): INodeExecutionData[] {
	return Array.from({ length: count }, (_, index) => {
		const data = binaries[index % binaries.length];
		const json = { index, note: `${index} ${NOTE}` };
		return { json, ...(data !== undefined && { binary: { data: { ...data } } }) };
	});
}
