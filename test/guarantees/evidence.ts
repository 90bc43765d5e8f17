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
	/** The file that the service generated. */
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
	return [...chargedTwice(evidence), ...lostCharges(evidence), ...outOfOrder(evidence)];
}

const MAY_BE_CHARGED = /may have been charged/g;

function imagesOf({ items, shape }: Evidence): number[] {
	return [...Array(items * shape.images).keys()];
}

function chargedTwice(evidence: Evidence): string[] {
	const { charges, shape } = evidence;
	return imagesOf(evidence).flatMap((image) => {
		const count = charges.filter((charge) => charge.image === image).length;
		return count > shape.copies
			? [`image ${image} was charged ${count} times for ${shape.copies} copies`]
			: [];
	});
}

function lostCharges(evidence: Evidence): string[] {
	if (evidence.result.error !== undefined) return lostInError(evidence);
	return imagesOf(evidence).flatMap((image) => lostInOutput(evidence, image));
}

/** Checks the output items of an image's copies. */
function lostInOutput({ result, shape, charges, images }: Evidence, image: number): string[] {
	const first = image * shape.copies;
	const rows = result.rows.slice(first, first + shape.copies);
	const open = new Set(charges.filter((charge) => charge.image === image));
	const wrong = rows.flatMap(({ json }, copy) => {
		if (json.error !== undefined) return [];
		const charge = [...open].find(({ entry }) => isJob(json, entry));
		if (charge === undefined) return [`output item ${first + copy} has no charge`];
		open.delete(charge);
		const isCorrect = images[first + copy]?.equals(charge.bytes) === true;
		return isCorrect
			? []
			: [`output item ${first + copy} has another image than the one generated`];
	});
	return [...wrong, ...unreported(rows, [...open])];
}

function unreported(rows: INodeExecutionData[], charges: Charge[]): string[] {
	const reported = rows
		.filter(({ json }) => json.error !== undefined)
		.map((row) => JSON.stringify(row));
	const unmentioned = charges.filter((charge) => !reported.some((text) => mentions(text, charge)));
	const possiblyCharged = reported.filter((text) => text.match(MAY_BE_CHARGED) !== null).length;
	return unmentioned.length > possiblyCharged
		? [
				`${unmentioned.length} charges that no output item mentions, but only ${possiblyCharged} reported as possibly charged`,
			]
		: [];
}

function isJob({ id, output_url }: IDataObject, { jobId, outputUrl }: LedgerEntry): boolean {
	return id === jobId || output_url === outputUrl;
}

/** A stopped run has one message for all jobs. */
function lostInError({ result, charges }: Evidence): string[] {
	const reported = `${result.error?.message ?? ''}\n${result.error?.description ?? ''}`;
	const unmentioned = charges.filter((charge) => !mentions(reported, charge));
	const possiblyCharged = reported.match(MAY_BE_CHARGED)?.length ?? 0;
	return unmentioned.length > possiblyCharged
		? [
				`${unmentioned.length} charges without id and link, but only ${possiblyCharged} reported as possibly charged`,
			]
		: [];
}

function mentions(text: string, { entry: { jobId, outputUrl } }: Charge): boolean {
	return text.includes(jobId) || text.includes(outputUrl);
}

/** Output items are ordered by item, image and copy. */
function outOfOrder({ result: { rows, error }, items, shape }: Evidence): string[] {
	if (error !== undefined) return [];
	const order = rows.map(({ json, pairedItem }) => {
		const { copy } = (json.error === undefined ? json : json.details) as IDataObject;
		return [pairedItem, copy];
	});
	const expected = [...Array(items).keys()].flatMap((item) =>
		[...Array(shape.images * shape.copies).keys()].map((job) => [
			{ item },
			shape.copies > 1 ? (job % shape.copies) + 1 : undefined,
		]),
	);
	return JSON.stringify(order) === JSON.stringify(expected)
		? []
		: [`the output items belong to ${JSON.stringify(order)}`];
}
