import type { INode, INodeParameters } from 'n8n-workflow';

import type { FaultRule, Sandbox } from '../../sandbox';
import { KEY } from './cases';
import type { Engine } from './engine';
import type { Evidence, Shape } from './evidence';
import { gif } from './images';

/** A run's items, and the faults that the service plays. */
export interface Batch {
	/** One name per item, unique among all batches. */
	names: string[];
	/** Images and copies per item, one each by default. Generate has no images. */
	shape?: Shape;
	parameters: INodeParameters & { operation: string; options: INodeParameters };
	faults: FaultRule[];
	node: Partial<INode>;
}

/** Runs a batch and collects the evidence. */
export async function runBatch(
	engine: Engine,
	sandbox: Sandbox,
	{ names, shape = { images: 1, copies: 1 }, parameters, faults, node }: Batch,
): Promise<Evidence> {
	// Bytes after the image make every file different.
	const files = names.flatMap((name) =>
		Array.from({ length: shape.images }, (_, image) => gif(`${name} ${image}`)),
	);
	const firstCharge = sandbox.ledger.length;
	for (const rule of faults) sandbox.arm(rule);
	const result = await engine.run({
		credential: { baseUrl: sandbox.url, apiKey: KEY },
		parameters: {
			prompt: '={{ $json.title }}',
			size: '128x128',
			inputType: shape.images === 1 ? 'binary' : 'all',
			...parameters,
			options: { ...parameters.options, numberOfImages: shape.copies },
		},
		items: await itemsOf(engine, names, shape, files),
		node,
	});
	const images = result.rows.map(async ({ binary, json }) =>
		json.error === undefined ? await engine.bytesOf(binary?.data) : undefined,
	);
	return {
		items: names.length,
		shape,
		result,
		charges: await chargesOf(sandbox, firstCharge, names, files),
		images: await Promise.all(images),
	};
}

async function itemsOf(engine: Engine, names: string[], { images }: Shape, files: Buffer[]) {
	return await Promise.all(
		names.map(async (title, item) => {
			const own = files.slice(item * images, (item + 1) * images);
			const stored = own.map(async (file, index) => {
				const field = images === 1 ? 'data' : `photo_${index}`;
				return [field, await engine.store(file, `${title}-${index}.gif`, 'image/gif')] as const;
			});
			return { json: { title }, binary: Object.fromEntries(await Promise.all(stored)) };
		}),
	);
}

/** The charges for these items. A late charge of another batch is ignored. */
async function chargesOf(sandbox: Sandbox, first: number, names: string[], files: Buffer[]) {
	const charges = await Promise.all(
		sandbox.ledger.slice(first).map(async (entry) => {
			const bytes = await sandbox.output(entry.jobId);
			const image =
				entry.tool === 'text2img'
					? names.indexOf(entry.fields.text ?? '')
					: files.findIndex((file) => file.equals(bytes));
			return { entry, image, bytes };
		}),
	);
	return charges.filter(({ image }) => image >= 0);
}
