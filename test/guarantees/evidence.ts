import type { INodeExecutionData } from 'n8n-workflow';

import type { LedgerEntry } from '../../sandbox';
import type { EngineResult } from '../support/engine';

/** A charge, and the item that it was for. */
export interface Charge {
	entry: LedgerEntry;
	item: number;
	/** The file that was made. */
	bytes: Buffer;
}

/** All that a run left behind. */
export interface Evidence {
	/** How many items went in. */
	items: number;
	result: EngineResult;
	charges: Charge[];
	/** The image of each row, where it has one. */
	images: Array<Buffer | undefined>;
}

/**
 * What is wrong with a run, in words; empty when both promises are kept: no item is charged twice,
 * and every charge is an image in the item's own row, or a job that the user is told of by its id
 * or link, or a call of which the user is told that it may have been charged.
 */
export function violations(evidence: Evidence): string[] {
	return [...twice(evidence), ...lost(evidence), ...outOfOrder(evidence)];
}

const MAYBE = /may have been charged/g;

function twice({ charges, items }: Evidence): string[] {
	return Array.from({ length: items }, (_, item) => item).flatMap((item) => {
		const count = charges.filter((charge) => charge.item === item).length;
		return count > 1 ? [`item ${item} was charged ${count} times`] : [];
	});
}

function lost(evidence: Evidence): string[] {
	const { result, charges, images } = evidence;
	if (result.error !== undefined) return lostInStop(evidence);
	return result.rows.flatMap((row, index) => {
		const charge = charges.find(({ item }) => item === index);
		if (row.json.error === undefined) return wrongDelivery(row, index, images[index], charge);
		if (charge === undefined || names(JSON.stringify(row.json), charge)) return [];
		const isTold = JSON.stringify(row.json).match(MAYBE) !== null;
		return isTold ? [] : [`item ${index} was charged, and its row does not say so`];
	});
}

function wrongDelivery(
	{ json }: INodeExecutionData,
	index: number,
	image: Buffer | undefined,
	charge: Charge | undefined,
): string[] {
	if (charge === undefined) return [`item ${index} was delivered, but never charged`];
	const { jobId, outputUrl } = charge.entry;
	if (json.id !== jobId && json.output_url !== outputUrl)
		return [`item ${index} has another’s job`];
	return image?.equals(charge.bytes) ? [] : [`item ${index} has another image than was made`];
}

/** A run that stops has one message for all. */
function lostInStop({ result, charges }: Evidence): string[] {
	const said = `${result.error?.message ?? ''}\n${result.error?.description ?? ''}`;
	const unnamed = charges.filter((charge) => !names(said, charge));
	const told = said.match(MAYBE)?.length ?? 0;
	return unnamed.length > told
		? [`${unnamed.length} charges without id and link, ${told} of them told of`]
		: [];
}

function names(said: string, { entry: { jobId, outputUrl } }: Charge): boolean {
	return said.includes(jobId) || said.includes(outputUrl);
}

function outOfOrder({ result: { rows, error }, items }: Evidence): string[] {
	if (error !== undefined) return [];
	const pairs = rows.map(({ pairedItem }) => pairedItem);
	const expected = Array.from({ length: items }, (_, item) => ({ item }));
	return JSON.stringify(pairs) === JSON.stringify(expected)
		? []
		: [`the rows belong to ${JSON.stringify(pairs)}`];
}
