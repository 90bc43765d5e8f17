/** Runs an execution that fails at its last item, then its Retry. Prints measurements as JSON. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse, stringify } from 'flatted';
import type { INodeExecutionData, INodeType, IRunExecutionData } from 'n8n-workflow';
import type { LedgerJob, LedgerMeasurement } from '../job.mjs';
import { apiKey } from './contenders/contender.mjs';
import { retry, run, startExpressions, type Flow } from './engine.mjs';
import { Expression } from './hosted.mjs';
import { openStorage, results } from './storage.mjs';

const NAME = 'Image Generation';
const LAST = 'last.png';

async function measure(job: LedgerJob): Promise<LedgerMeasurement> {
	await openStorage(job.storage);
	await startExpressions();
	const credential = { baseUrl: job.service, apiKey };
	const flow = flowOf(job);
	// A warm-up, so that all code is loaded and compiled.
	await run(flow, itemsOf(job, 500), credential);
	const before = await countCharges(job.service);
	const items = itemsOf(job, job.items);

	await refuseLast(job.service);
	const [ranFor, failed] = await timed(async () => await run(flow, items, credential));
	if (failed.resultData.error === undefined)
		throw new Error('The service did not refuse the last item.');
	const [storing, [bytes, stored]] = await timed(async () => {
		const text = stringify(failed);
		return await Promise.resolve([
			Buffer.byteLength(text),
			parse(text) as IRunExecutionData,
		] as const);
	});
	const [retriedFor, retried] = await timed(async () => await retry(flow, stored, credential));
	if (retried.resultData.error !== undefined) throw retried.resultData.error;
	const context = retried.executionData?.contextData[`node:${NAME}`] ?? {};
	return {
		run: ranFor,
		retry: retriedFor,
		storing,
		bytes,
		left: JSON.stringify(context).length - '{}'.length,
		charged: (await countCharges(job.service)) - before,
	};
}

function flowOf(job: LedgerJob): Flow {
	const require = createRequire(join(job.package, 'package.json'));
	const folder = './dist/nodes/ImageGeneration';
	const { ImageGeneration } = require(`${folder}/ImageGeneration.node.js`) as {
		ImageGeneration: new () => INodeType;
	};
	if (!job.remembers) {
		const emptyLedger = {
			find: () => undefined,
			isEmpty: () => true,
			add: () => {},
			findImage: () => undefined,
			addImage: () => {},
			clear: () => {},
		};
		Object.assign(require(`${folder}/buy/ledger.js`) as object, { openLedger: () => emptyLedger });
	}
	const step = {
		name: NAME,
		typeName: 'n8n-nodes-image-generation.imageGeneration',
		type: new ImageGeneration(),
		typeVersion: 1,
		// Only one request per item, so that remembering it makes the largest difference.
		parameters: { operation: 'removeBackground', download: false, options: { concurrency: 5 } },
	};
	return { steps: [step], links: [{ from: 'Items', output: 0, to: NAME }], last: NAME };
}

function itemsOf({ images: { binaries } }: LedgerJob, count: number): INodeExecutionData[] {
	return Array.from({ length: count }, (_, index) => {
		const data = binaries[index % binaries.length];
		const name = index === count - 1 && { fileName: LAST };
		return {
			json: { index },
			...(data !== undefined && { binary: { data: { ...data, ...name } } }),
		};
	});
}

async function refuseLast(service: string): Promise<void> {
	const response = await fetch(`${service}/sandbox/faults`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ fault: 'status', status: 400, when: LAST }),
	});
	if (!response.ok) throw new Error(await response.text());
}

async function countCharges(service: string): Promise<number> {
	const ledger = (await (await fetch(`${service}/sandbox/ledger`)).json()) as unknown[];
	return ledger.length;
}

/** Measures CPU milliseconds, which other load on the machine affects less than elapsed time. */
async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
	const start = process.cpuUsage();
	const result = await work();
	const { user, system } = process.cpuUsage(start);
	return [(user + system) / 1000, result];
}

const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LedgerJob;
try {
	console.log(JSON.stringify(await measure(job)));
} finally {
	await (await openStorage(job.storage)).deleteMany([results]);
	await Expression.disposeExpressionEngine();
}
