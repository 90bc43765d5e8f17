/** Runs a job and prints the measurement as JSON in the last line. */
import { readFileSync } from 'node:fs';
import type { Job, Measurement } from '../job.mjs';
import type { Batch } from './contenders/contender.mjs';
import { contenders } from './contenders/index.mjs';
import { Expression } from './hosted.mjs';
import { limitRate } from './limitRate.mjs';
import { watchLive, watchPeak } from './memory.mjs';
import { startProfile } from './startProfile.mjs';
import { openStorage, results } from './storage.mjs';

async function measure(job: Job): Promise<Measurement> {
	const { items, executions, together = false, images, warmUp, memory } = job;
	const contender = await contenders[job.contender](job);
	await contender.prepare(warmUp.items, warmUp.images).run();
	const batches = Array.from({ length: together ? executions : 1 }, () =>
		contender.prepare(items, images),
	);
	const limit = await limitRate(job);

	const startWatch = { none: undefined, peak: watchPeak, live: watchLive }[memory];
	const watch = await startWatch?.();
	const profile = job.profile === undefined ? undefined : await startProfile(job.profile);
	const cpu = process.cpuUsage();
	const start = performance.now();
	for (let done = 0; done < executions; done += batches.length) {
		await Promise.all(batches.map(async (batch) => await batch.run()));
	}
	const wall = performance.now() - start;
	const { user, system } = process.cpuUsage(cpu);
	const measured = {
		wall,
		cpu: (user + system) / 1000,
		memory: watch?.end() ?? 0,
		refused: (await limit?.lift()) ?? 0,
	};
	await profile?.end();
	for (const batch of batches) await check(batch, job);
	return measured;
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
