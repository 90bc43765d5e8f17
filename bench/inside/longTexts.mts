/** Measures how long a text blocks n8n's main thread, and prints the milliseconds as JSON in the last line. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TextJob } from '../job.mjs';
import { groupsOfTexts } from '../longTexts.mjs';

type ItemImages = (item: object, values: object) => Promise<unknown>;

/** The first run compiles the code and the regular expressions. */
const RUNS = 4;

const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as TextJob;
const load = createRequire(join(job.package, 'package.json'));
const { itemImages } = load('./dist/nodes/ImageGeneration/plan/itemImages.js') as {
	itemImages: ItemImages;
};

const value = groupsOfTexts[job.group]?.[job.text]?.();
const blocks: number[] = [];
for (const values of [
	{ inputType: 'url', imageUrl: value },
	{ inputType: 'binary', binaryPropertyName: value },
	{ inputType: 'all' },
]) {
	const runs: number[] = [];
	for (let run = 0; run < RUNS; run++) runs.push(await longestBlock(values));
	// Other programs on the machine can only make a run longer.
	blocks.push(Math.min(...runs.slice(1)));
}
console.log(JSON.stringify(blocks));

/** The main thread's longest stretch without a turn of the event loop, in milliseconds of processor time. */
async function longestBlock(values: object): Promise<number> {
	let longest = 0;
	const end = { isReached: false };
	const planning = itemImagesOf(values).finally(() => (end.isReached = true));
	while (!end.isReached) {
		const before = process.cpuUsage();
		await new Promise(setImmediate);
		const { user, system } = process.cpuUsage(before);
		longest = Math.max(longest, (user + system) / 1000);
	}
	await planning;
	return longest;
}

/** An item as the node plans it, with the value in its JSON for All Images of the Item. */
async function itemImagesOf(values: object): Promise<void> {
	const item = {
		context: { getInputData: () => [{ json: { value } }], helpers: {} },
		itemIndex: 0,
		node: { parameters: {} },
		service: { baseUrl: { origin: 'https://example.com' } },
	};
	// Starts in a turn of its own, so that all of it is measured.
	await Promise.resolve();
	await itemImages(item, values).catch(() => {});
}
