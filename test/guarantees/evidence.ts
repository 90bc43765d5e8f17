import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { LedgerEntry } from '../../sandbox';
import type { EngineResult } from '../support/engine';

/** Images and copies per item of a batch. */
export interface Shape {
	images: number;
	copies: number;
}

/** A charge and the image it paid for. */
export interface Charge {
	entry: LedgerEntry;
	/** Index among the images of all items. Copies share it. */
	image: number;
	/** The file that the service made. */
	bytes: Buffer;
}

/** Everything a run left behind. */
export interface Evidence {
	/** Number of input items. */
	items: number;
	shape: Shape;
	result: EngineResult;
	charges: Charge[];
	/** Each output item's image, if it has one. */
	images: Array<Buffer | undefined>;
}

/**
 * Describes what is wrong with a run; empty if no job was charged twice and every charge is either
 * delivered in the job's own output item, reported by id or link, or reported as possibly charged.
 */
export function violations(evidence: Evidence): string[] {
	return [...twice(evidence), ...lost(evidence), ...outOfOrder(evidence)];
}

const MAYBE = /may have been charged/g;

function imagesOf({ items, shape }: Evidence): number[] {
	return [...Array(items * shape.images).keys()];
}

function twice(evidence: Evidence): string[] {
	const { charges, shape } = evidence;
	return imagesOf(evidence).flatMap((image) => {
		const count = charges.filter((charge) => charge.image === image).length;
		return count > shape.copies
			? [`image ${image} was charged ${count} times for ${shape.copies} copies`]
			: [];
	});
}

function lost(evidence: Evidence): string[] {
	if (evidence.result.error !== undefined) return lostInStop(evidence);
	return imagesOf(evidence).flatMap((image) => lostInRows(evidence, image));
}

/** Checks the output items of an image's copies. */
function lostInRows({ result, shape, charges, images }: Evidence, image: number): string[] {
	const first = image * shape.copies;
	const rows = result.rows.slice(first, first + shape.copies);
	const open = new Set(charges.filter((charge) => charge.image === image));
	const wrong = rows.flatMap(({ json }, copy) => {
		if (json.error !== undefined) return [];
		const charge = [...open].find(({ entry }) => isJob(json, entry));
		if (charge === undefined) return [`row ${first + copy} has no charge of its own`];
		open.delete(charge);
		const isRight = images[first + copy]?.equals(charge.bytes) === true;
		return isRight ? [] : [`row ${first + copy} has another image than was made`];
	});
	return [...wrong, ...untold(rows, [...open])];
}

function untold(rows: INodeExecutionData[], charges: Charge[]): string[] {
	const said = rows
		.filter(({ json }) => json.error !== undefined)
		.map((row) => JSON.stringify(row));
	const unnamed = charges.filter((charge) => !said.some((words) => names(words, charge)));
	const told = said.filter((words) => words.match(MAYBE) !== null).length;
	return unnamed.length > told
		? [`${unnamed.length} charges that no row names, ${told} of them told of`]
		: [];
}

function isJob({ id, output_url }: IDataObject, { jobId, outputUrl }: LedgerEntry): boolean {
	return id === jobId || output_url === outputUrl;
}

/** A stopped run has one message for all jobs. */
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

/** Output items are ordered by item, image and copy. */
function outOfOrder({ result: { rows, error }, items, shape }: Evidence): string[] {
	if (error !== undefined) return [];
	const places = rows.map(({ json, pairedItem }) => {
		const { copy } = (json.error === undefined ? json : json.details) as IDataObject;
		return [pairedItem, copy];
	});
	const expected = [...Array(items).keys()].flatMap((item) =>
		[...Array(shape.images * shape.copies).keys()].map((job) => [
			{ item },
			shape.copies > 1 ? (job % shape.copies) + 1 : undefined,
		]),
	);
	return JSON.stringify(places) === JSON.stringify(expected)
		? []
		: [`the rows belong to ${JSON.stringify(places)}`];
}
