/** Runs a job and prints the measurement as JSON in the last line. */
import { readFileSync } from 'node:fs';
import type { Job, Measurement } from '../job.mjs';
import { bareNode } from './contenders/bareNode.mjs';
import * as chains from './contenders/httpRequest.mjs';
import type { Batch } from './contenders/inEngine.mjs';
import { node } from './contenders/node.mjs';
import { Expression } from './hosted.mjs';
import { watchLive, watchPeak } from './memory.mjs';
import { startProfile } from './startProfile.mjs';
import { openStorage, results } from './storage.mjs';

const contenders = { node, bareNode, ...chains };

async function measure(job: Job): Promise<Measurement> {
	const { items, executions, together = false, images, warmUp, memory } = job;
	const contender = await contenders[job.contender](job);
	await contender.prepare(warmUp.items, warmUp.images).run();
	const batches = Array.from({ length: together ? executions : 1 }, () =>
		contender.prepare(items, images),
	);
	const countRefused = await limitRate(job);

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
		refused: (await countRefused?.()) ?? 0,
	};
	await profile?.end();
	for (const batch of batches) await check(batch, job);
	return measured;
}

/** Sets the job's rate limit. @returns a function that counts the refused requests and lifts it */
async function limitRate({ service, limit }: Job) {
	if (limit === undefined) return undefined;
	const url = `${service}/sandbox/rate-limit`;
	const refused = async () => ((await (await fetch(url)).json()) as { refused: number }).refused;
	const headers = { 'Content-Type': 'application/json' };
	const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(limit) });
	if (!response.ok) throw new Error(`The sandbox set no rate limit: ${await response.text()}`);
	const before = await refused();
	return async () => {
		const count = (await refused()) - before;
		await fetch(url, { method: 'DELETE' });
		return count;
	};
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
