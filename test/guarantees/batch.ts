import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { FaultRule, Sandbox } from '../../sandbox';
import type { Engine } from '../support/engine';
import { PIXEL } from '../support/images';
import { KEY } from './cases';
import type { Charge, Evidence } from './evidence';

/** Some items for one run of the node, and what the service does to them. */
export interface Batch {
	/** One for each item, told apart from those of all other batches. */
	names: string[];
	parameters: INodeParameters;
	faults: FaultRule[];
	node: Partial<INode>;
}

/** Runs a batch and gathers what it left behind. */
export async function play(
	engine: Engine,
	sandbox: Sandbox,
	{ names, parameters, faults, node }: Batch,
): Promise<Evidence> {
	// What stands behind the picture makes every item's file another.
	const files = names.map((name) => Buffer.concat([PIXEL, Buffer.from(name)]));
	const firstCharge = sandbox.ledger.length;
	for (const rule of faults) sandbox.arm(rule);
	const result = await engine.run({
		credential: { baseUrl: sandbox.url, apiKey: KEY },
		parameters: { prompt: '={{ $json.title }}', size: '128x128', ...parameters },
		items: await itemsOf(engine, names, files),
		node,
	});
	const images = result.rows.map(async ({ binary, json }) =>
		json.error === undefined ? await engine.bytesOf(binary?.data) : undefined,
	);
	return {
		items: names.length,
		result,
		charges: await chargesOf(sandbox, firstCharge, names, files),
		images: await Promise.all(images),
	};
}

async function itemsOf(
	engine: Engine,
	names: string[],
	files: Buffer[],
): Promise<INodeExecutionData[]> {
	return await Promise.all(
		names.map(async (title, item) => {
			const data = await engine.store(files[item] ?? PIXEL, `${title}.gif`, 'image/gif');
			return { json: { title }, binary: { data } };
		}),
	);
}

/** What was charged for these items; a late charge of another batch is none of theirs. */
async function chargesOf(
	sandbox: Sandbox,
	first: number,
	names: string[],
	files: Buffer[],
): Promise<Charge[]> {
	const charges = await Promise.all(
		sandbox.ledger.slice(first).map(async (entry) => {
			const bytes = await sandbox.output(entry.jobId);
			const { text } = entry.fields;
			const byBytes = files.findIndex((file) => file.equals(bytes));
			return { entry, item: text === undefined ? byBytes : names.indexOf(text), bytes };
		}),
	);
	return charges.filter(({ item }) => item >= 0);
}
