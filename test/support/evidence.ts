import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { LedgerEntry } from '../../sandbox';
import type { EngineResult } from './engine';

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

function chargedTwice({ items, shape, charges }: Evidence): string[] {
	return [...Array(items * shape.images).keys()].flatMap((image) => {
		const count = charges.filter((charge) => charge.image === image).length;
		return count > shape.copies
			? [`image ${image} was charged ${count} times for ${shape.copies} copies`]
			: [];
	});
}

const MAY_BE_CHARGED = 'may have been charged';

/** A stopped run has one message for all jobs; otherwise each output item tells about its own. */
function lostCharges({ result, items, shape, charges, images }: Evidence): string[] {
	const { error, rows } = result;
	if (error !== undefined)
		return unreported(`${error.message}\n${error.description ?? ''}`, charges);
	return [...Array(items * shape.images).keys()].flatMap((image) => {
		const first = image * shape.copies;
		const ofImage = charges.filter((charge) => charge.image === image);
		return lostInOutput(
			rows.slice(first, first + shape.copies),
			images.slice(first, first + shape.copies),
			ofImage,
		);
	});
}

/** Checks the output items of an image's copies. */
function lostInOutput(rows: INodeExecutionData[], images: Evidence['images'], charges: Charge[]) {
	const open = new Set(charges);
	const wrong = rows.flatMap(({ json }, copy) => {
		if (json.error !== undefined) return [];
		const charge = [...open].find(({ entry }) => isJob(json, entry));
		if (charge === undefined) return [`an output item has no charge: ${JSON.stringify(json)}`];
		open.delete(charge);
		const isCorrect = images[copy]?.equals(charge.bytes) === true;
		return isCorrect ? [] : [`${charge.entry.jobId} has another image than the one generated`];
	});
	const errors = rows
		.filter(({ json }) => json.error !== undefined)
		.map((row) => JSON.stringify(row));
	// One row stands for one charge, however often it says so.
	const possiblyCharged = errors.filter((text) => text.includes(MAY_BE_CHARGED)).length;
	return [...wrong, ...unreported(errors.join('\n'), [...open], possiblyCharged)];
}

/** Whether an output item is the result of a charge's job. */
function isJob({ id, output_url }: IDataObject, { jobId, outputUrl }: LedgerEntry): boolean {
	return id === jobId || output_url === outputUrl;
}

/** Whether a text names a charge by its id or link. */
function isNamed({ jobId, outputUrl }: LedgerEntry, text: string): boolean {
	return text.includes(jobId) || text.includes(outputUrl);
}

/** Finds charges that a text neither names nor reports as possibly charged. */
function unreported(
	text: string,
	charges: ReadonlyArray<{ entry: LedgerEntry }>,
	possiblyCharged = text.split(MAY_BE_CHARGED).length - 1,
): string[] {
	const unnamed = charges.filter(({ entry }) => !isNamed(entry, text));
	return unnamed.length > possiblyCharged
		? [
				`${unnamed.length} charges without id and link, but only ${possiblyCharged} reported as possibly charged`,
			]
		: [];
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
