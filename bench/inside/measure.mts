/** Runs a job and prints the measurement as JSON in the last line. */
import { readFileSync } from 'node:fs';
import type { Job, Measurement } from '../job.mjs';
import { bareNode } from './contenders/bareNode.mjs';
import * as chains from './contenders/httpRequest.mjs';
import type { Batch } from './contenders/inEngine.mjs';
import { node } from './contenders/node.mjs';
import { Expression } from './hosted.mjs';
import { watchPeak } from './memory.mjs';
import { openStorage, results } from './storage.mjs';

const contenders = { node, bareNode, ...chains };

async function measure(job: Job): Promise<Measurement> {
	const { items, executions, images, warmUp } = job;
	const contender = await contenders[job.contender](job);
	await contender.prepare(warmUp.items, warmUp.images).run();
	const batch = contender.prepare(items, images);

	const watch = job.watchMemory ? await watchPeak() : undefined;
	const cpu = process.cpuUsage();
	const start = performance.now();
	for (let done = 0; done < executions; done++) await batch.run();
	const wall = performance.now() - start;
	const { user, system } = process.cpuUsage(cpu);
	const memory = watch?.end() ?? 0;
	await check(batch, job);
	return { wall, cpu: (user + system) / 1000, memory };
}

/** @throws Error unless every image came back whole: a contender must not win by doing less */
async function check(batch: Batch, { items, images: { bytes } }: Job): Promise<void> {
	const sizes = await batch.sizes();
	if (sizes.length === items && sizes.every((size) => size === bytes)) return;
	throw new Error(`Expected ${items} images of ${bytes} bytes, got ${sizes.join(', ')}.`);
}

const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Job;
try {
	console.log(JSON.stringify(await measure(job)));
} finally {
	await (await openStorage(job.storage)).deleteMany([results]);
	await Expression.disposeExpressionEngine();
}
