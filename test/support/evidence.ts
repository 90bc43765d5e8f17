import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { FaultRule, LedgerEntry, Sandbox } from '../../sandbox';
import { KEY } from './cases';
import type { Engine, EngineResult } from './engine';
import { gif } from './images';

/** A run of one item for each title, and the faults that the service plays. */
export interface Batch {
	/** The items' prompts, unique among all batches: a charge belongs to the item whose title it has. */
	titles: string[];
	operation: 'generate' | 'edit';
	options: INodeParameters;
	faults: FaultRule[];
	node: Partial<INode>;
}

/** Runs a batch. @returns the result, and what is wrong with it; nothing if no image is bought twice, lost or mixed up */
export async function runBatch(
	engine: Engine,
	sandbox: Sandbox,
	{ titles, operation, options, faults, node }: Batch,
) {
	for (const rule of faults) sandbox.arm(rule);
	const items = titles.map(async (title) => ({
		json: { title },
		...(operation === 'edit' && {
			binary: { data: await engine.store(gif(title), 'photo.gif', 'image/gif') },
		}),
	}));
	const result = await engine.run({
		credential: { baseUrl: sandbox.url, apiKey: KEY },
		parameters: { operation, prompt: '={{ $json.title }}', size: '128x128', options },
		items: await Promise.all(items),
		node,
	});
	return { result, findings: await findingsOf(engine, sandbox, titles, result) };
}

async function findingsOf(
	engine: Engine,
	sandbox: Sandbox,
	titles: string[],
	{ error, rows }: EngineResult,
): Promise<string[]> {
	const charges = titles.map((title) =>
		sandbox.ledger.filter(({ fields }) => fields.text === title),
	);
	const twice = titles
		.filter((_title, index) => (charges[index]?.length ?? 0) > 1)
		.map((title) => `${title} was charged more than once`);
	// A run that is stopped has one message for all items; otherwise each row tells about its own.
	if (error !== undefined) {
		return [...twice, ...unsaid(`${error.message}\n${error.description ?? ''}`, charges.flat())];
	}
	const ofRows = rows.map(async (row, index): Promise<string[]> => {
		const own = charges[index] ?? [];
		if ((row.pairedItem as { item: number }).item !== index) {
			return [`row ${index} is paired with ${JSON.stringify(row.pairedItem)}`];
		}
		if (row.json.error !== undefined) return unsaid(JSON.stringify(row), own);
		const charge = own.find((each) => isNamed(each, JSON.stringify(row.json)));
		const isRight = charge !== undefined && (await hasImageOf(engine, sandbox, row, charge));
		return isRight ? [] : [`row ${index} has an image of nobody: ${JSON.stringify(row.json)}`];
	});
	const missing = rows.length === titles.length ? [] : [`there are ${rows.length} rows`];
	return [...twice, ...missing, ...(await Promise.all(ofRows)).flat()];
}

/** Whether a row's bytes are those that the service made for a charge. */
async function hasImageOf(
	engine: Engine,
	sandbox: Sandbox,
	{ binary }: INodeExecutionData,
	{ jobId }: LedgerEntry,
): Promise<boolean> {
	const delivered = await engine.bytesOf(binary?.data);
	return delivered.equals(await sandbox.output(jobId));
}

/** Whether a text names a charge by its id or link. */
function isNamed({ jobId, outputUrl }: LedgerEntry, text: string): boolean {
	return text.includes(jobId) || text.includes(outputUrl);
}

/** The charges that a text neither names nor counts by what may have been charged, if there are any. */
function unsaid(text: string, charges: readonly LedgerEntry[]): string[] {
	const unnamed = charges.filter((charge) => !isNamed(charge, text));
	const counted = text.split('may have been charged').length - 1;
	return unnamed.length > counted
		? [`${unnamed.length} charges are not named, and ${counted} said to be possible: ${text}`]
		: [];
}
