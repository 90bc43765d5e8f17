import type { INodeParameters } from 'n8n-workflow';

import { toFailure, type Failure } from '../failures/failures';
import { addedTexts, additionalFields, partsToSend } from '../fields/additionalFields';
import { readFields, type Field, type ValuesOf } from '../fields/field';
import type { imageFields } from '../fields/image';
import { download, itemOptions, outputPropertyName } from '../fields/options';
import type { ItemOptions } from '../fields/options';
import { nameAfterFile, nameAfterPrompt, type PlannedName } from '../images/outputName';
import { operationOf } from '../operations';
import type { Operation } from '../operations/operation';
import { identify, withoutSignature } from '../recall/requestKey';
import type { InvalidRow, JobRequest, JobToPlan, Row } from '../types';
import { asRecord } from '../values/asRecord';
import { isBlank } from '../values/text';
import type { Item, ItemImage, Planning } from './item';
import { itemImages } from './itemImages';
import { ItemTexts } from './itemTexts';

/** A row with what it asks for. */
export interface PlannedRow {
	row: Row;
	asks: JobToPlan;
}

/**
 * Reads and checks one item, and plans a row for each of its images and copies. What can't be sent
 * becomes an invalid row and does not affect the others.
 */
export async function planItem(item: Item): Promise<Array<PlannedRow | InvalidRow>> {
	try {
		const parameters = readParameters(item);
		const { text: label = '' } = parameters.textParts;
		const images = parameters.operation.image
			? await itemImages(item, parameters.imageValues)
			: [{ label, part: { value: undefined } }];
		const places = new Map<string, number>();
		return images.flatMap((image) => {
			const name = nameInItem(image);
			// Files may have the same name.
			const occurrence = (places.get(name) ?? 0) + 1;
			places.set(name, occurrence);
			return rowsFor(item, parameters, image, [name, occurrence]);
		});
	} catch (error) {
		return [invalidRow(item, item.itemIndex, toFailure(error))];
	}
}

/** Tells an image from the others of its item: the field of its file, or its address, which a new signature does not change. */
function nameInItem({ part, source = '' }: ItemImage): string {
	const address = 'value' in part ? part.value : undefined;
	return typeof address === 'string' && source !== '' ? withoutSignature(address) : source;
}

/** What all jobs of an item share. */
interface ItemParameters {
	operation: Operation;
	/** How the item selects its images, if the operation works on images. */
	imageValues: ValuesOf<typeof imageFields>;
	textParts: Record<string, string>;
	copies: number;
	/** Undefined if nothing is downloaded. */
	outputField: string | undefined;
	options: ItemOptions;
	/** Its expressions that found nothing. */
	blanks: readonly string[];
}

function readParameters(item: Item): ItemParameters {
	const { isTool, node, valueOf } = item;
	const rawOptions = asRecord(valueOf('options'));
	const writtenOptions = asRecord(node.parameters.options);
	const texts = new ItemTexts(item);
	const optionOf = (name: string, absent: unknown, property: Field['property']): unknown => {
		const written = writtenOptions[name];
		const value = texts.read(property, written, rawOptions[name]) ?? absent;
		// An expression that finds nothing, such as an empty cell, counts as no option.
		const isNothing = hasExpression(written) && typeof value === 'string' && isBlank(value);
		return isNothing ? absent : value;
	};
	const fieldOf = (name: string, _absent: unknown, property: Field['property']): unknown =>
		texts.read(property, node.parameters[name], valueOf(name));
	const operation = operationOf(valueOf('operation'));
	const optionValues = readFields(operation.options, optionOf);
	const fields = readFields(operation.fields, fieldOf);
	const added = addedTexts(writtenOptions.additionalFields, rawOptions.additionalFields);
	for (const text of added) texts.check({ ...text, isRequired: false });
	const textParts = operation.textParts(fields, optionValues);
	// For an AI agent nothing is downloaded, because files would break the agent's response.
	const downloads = !isTool && download.read(valueOf('download'));
	return {
		operation,
		// Those of every operation on images.
		imageValues: fields as ValuesOf<typeof imageFields>,
		textParts: partsToSend(textParts, rawOptions.additionalFields),
		copies: Number(optionValues.numberOfImages ?? 1),
		outputField: downloads
			? readFields({ outputPropertyName }, optionOf).outputPropertyName
			: undefined,
		options: readFields(itemOptions, optionOf),
		blanks: texts.blanks,
	};
}

/**
 * Plans the copies of an image.
 * @param place Identifies the image in its item.
 */
function rowsFor(
	item: Item,
	{ operation, textParts, copies, outputField, options, blanks }: ItemParameters,
	{ part, ...image }: ItemImage,
	place: unknown[],
): Array<PlannedRow | InvalidRow> {
	const { itemIndex, isTool, runName } = item;
	const common = {
		...image,
		itemIndex,
		includesInput: !isTool && options.includeInputFields,
		blanks,
	};
	if ('failure' in part) return [{ ...common, problem: part.failure }];
	const { model } = operation;
	const { value } = part;
	const sent = typeof value === 'string' ? { image: value, ...textParts } : textParts;
	const request: JobRequest = { model, textParts: sent };
	if (typeof value === 'object') request.file = value;
	const written = writtenParameters(item, operation);
	const asks: JobToPlan = {
		request,
		isFixed: !isTool && request.file === undefined && !hasExpression(written),
		timeout: options.timeout,
	};
	const fileName = plannedName(options, operation, image.label);
	// A sandbox's drawing is not the live service's picture, and an agent sets new values with each call of a tool.
	const identifying = [item.service.baseUrl.origin, isTool ? sent : written];
	return Array.from({ length: copies }, (_, index): PlannedRow => {
		const copy = index + 1;
		const row: Row = {
			...common,
			key: identify(runName, itemIndex, place, copy, model, identifying).slice(0, KEY_LENGTH),
			fileName,
			outputField,
		};
		if (copies > 1) row.copy = copy;
		return { row, asks };
	});
}

/** 96 bits: a collision among 10,000 rows is less likely than a memory fault. */
const KEY_LENGTH = 16;

/** The name of an image's file, before it is made safe and numbered. */
function plannedName({ fileName }: ItemOptions, { image }: Operation, label: string): PlannedName {
	if (fileName !== '') return { stem: fileName, isMarked: false };
	if (image) return { stem: nameAfterFile(label, image.suffix), isMarked: true };
	return { stem: nameAfterPrompt(label), isMarked: true };
}

/**
 * The parameters of a request as written, before expressions are evaluated: `$now` in a prompt does not
 * make it a different one, an edit does.
 */
function writtenParameters({ node }: Item, { fields, options }: Operation): unknown[] {
	const { options: added, ...parameters } = node.parameters;
	const written = { ...parameters, ...(added as INodeParameters | undefined) };
	// A field or an option of a later version changes no key. n8n adds each missing field with its
	// default, but no missing option (2.41.1, 1.123.81).
	const isWritten = (name: string) =>
		written[name] !== undefined && written[name] !== fields[name]?.property.default;
	return Object.keys({ ...fields, ...options, additionalFields })
		.filter((name) => name !== 'numberOfImages' && isWritten(name))
		.map((name) => [name, written[name]]);
}

/** Whether a parameter is an expression: a text that begins with an equals sign. */
export function hasExpression(parameter: unknown): boolean {
	return JSON.stringify(parameter ?? null).includes('"=');
}

/** The row of an item that can't be planned. Include Input Fields is read even if all else is invalid. */
export function invalidRow(attempt: Planning, itemIndex: number, problem: Failure): InvalidRow {
	const row = { itemIndex, label: '', includesInput: false, problem };
	const option = 'options.includeInputFields';
	try {
		const value: unknown = attempt.context.getNodeParameter(option, itemIndex, false);
		return { ...row, includesInput: !attempt.isTool && itemOptions.includeInputFields.read(value) };
	} catch {
		return row;
	}
}
