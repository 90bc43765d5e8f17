/** Runs an execution that fails at its last item, and Retry of it; prints what both took as JSON. */
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
	// Everything is loaded and compiled before it is measured.
	await run(flow, itemsOf(job, 500), credential);
	const before = await chargedAt(job.service);
	const items = itemsOf(job, job.items);

	await refuseLast(job.service);
	const [ranFor, failed] = await timed(async () => await run(flow, items, credential));
	if (failed.resultData.error === undefined) throw new Error('The service refused nothing');
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
		charged: (await chargedAt(job.service)) - before,
	};
}

function flowOf(job: LedgerJob): Flow {
	const require = createRequire(join(job.package, 'package.json'));
	const folder = './dist/nodes/ImageGeneration';
	const { ImageGeneration } = require(`${folder}/ImageGeneration.node.js`) as {
		ImageGeneration: new () => INodeType;
	};
	if (!job.remembers) {
		const nothing = {
			find: () => undefined,
			isEmpty: () => true,
			add: () => {},
			findImage: () => undefined,
			addImage: () => {},
			clear: () => {},
		};
		Object.assign(require(`${folder}/buy/ledger.js`) as object, { openLedger: () => nothing });
	}
	const step = {
		name: NAME,
		typeName: 'n8n-nodes-image-generation.imageGeneration',
		type: new ImageGeneration(),
		typeVersion: 1,
		// One call each and nothing else, so that what is remembered weighs most.
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
	const answer = await fetch(`${service}/sandbox/faults`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ fault: 'status', status: 400, when: LAST }),
	});
	if (!answer.ok) throw new Error(await answer.text());
}

async function chargedAt(service: string): Promise<number> {
	const account = (await (await fetch(`${service}/sandbox/ledger`)).json()) as unknown[];
	return account.length;
}

/** In milliseconds of this process on all processors: what else the machine does counts less. */
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
