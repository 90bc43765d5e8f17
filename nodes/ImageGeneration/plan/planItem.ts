import { hash } from 'crypto';
import type { INodeParameters } from 'n8n-workflow';

import { toFailure, type Failure } from '../failures/failures';
import { addedTexts, additionalFields, partsToSend } from '../fields/additionalFields';
import { readFields, type Field, type ValuesOf } from '../fields/field';
import { imageFields } from '../fields/image';
import { download, itemOptions, numberOfImages, outputPropertyName } from '../fields/options';
import type { ItemOptions } from '../fields/options';
import { nameAfterFile, nameAfterPrompt, type PlannedName } from '../images/outputName';
import { operationOf } from '../operations';
import type { Operation } from '../operations/operation';
import type { FilledTexts, Job, JobRequest, PlannedJob } from '../types';
import { asRecord } from '../values/asRecord';
import type { Item, ItemImage, Planning } from './item';
import { itemImages } from './itemImages';
import { ItemTexts } from './itemTexts';

/**
 * Reads and checks one item, and plans a job for each of its images and copies. What can't be sent
 * becomes an invalid job and does not affect the others.
 */
export async function planItem(item: Item): Promise<PlannedJob[]> {
	try {
		const parameters = readParameters(item);
		const { text: label = '' } = parameters.textParts;
		const images = parameters.operation.image
			? await itemImages(item, parameters.imageValues)
			: [{ keys: [''], label, part: { value: undefined } }];
		return images.flatMap((image) => jobsFor(item, parameters, image));
	} catch (error) {
		return [invalidJob(item, item.itemIndex, toFailure(error))];
	}
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
	texts: FilledTexts | undefined;
}

function readParameters(item: Item): ItemParameters {
	const { isTool, node, valueOf } = item;
	const rawOptions = asRecord(valueOf('options'));
	const writtenOptions = asRecord(node.parameters.options);
	const texts = new ItemTexts(item);
	// An expression that returns nothing counts as no option.
	const optionOf = (name: string, absent: unknown, property: Field['property']): unknown =>
		texts.read(property, writtenOptions[name], rawOptions[name]) ?? absent;
	const fieldOf = (name: string, _absent: unknown, property: Field['property']): unknown =>
		texts.read(property, node.parameters[name], valueOf(name));
	const operation = operationOf(valueOf('operation'));
	const optionValues = readFields(operation.options, optionOf);
	const fields = readFields(operation.fields, fieldOf);
	const added = addedTexts(writtenOptions.additionalFields, rawOptions.additionalFields);
	for (const text of added) texts.check({ ...text, isRequired: false });
	const sentFields = [...texts.fields];
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
		texts: texts.fields.length > 0 ? { fields: sentFields, blanks: texts.blanks } : undefined,
	};
}

/** Plans the copies of an image. */
function jobsFor(
	item: Item,
	{ operation, textParts, copies, outputField, options, texts }: ItemParameters,
	{ keys, part, ...image }: ItemImage,
): PlannedJob[] {
	const { itemIndex, isTool } = item;
	const place = {
		...image,
		itemIndex,
		includesInput: !isTool && options.includeInputFields,
		texts,
	};
	if ('failure' in part) return [{ ...place, problem: part.failure }];
	const { model } = operation;
	const { value } = part;
	const sent = typeof value === 'string' ? { image: value, ...textParts } : textParts;
	const request: JobRequest = { model, textParts: sent };
	if (typeof value === 'object') request.file = value;
	const fileName = plannedName(options, operation, image.label);
	// An agent sets new values with each call of a tool.
	const identifying = isTool ? sent : writtenParameters(item, operation);
	return Array.from({ length: copies }, (_, index): Job => {
		const copy = index + 1;
		return {
			...place,
			...(copies > 1 && { copy }),
			keys: keys.map((key) => jobKey(item, [key, itemIndex, model, copy, identifying])),
			request,
			fileName,
			outputField,
			options,
		};
	});
}

/** The name of an image's file, before it is made safe and numbered. */
function plannedName({ fileName }: ItemOptions, { image }: Operation, label: string): PlannedName {
	if (fileName !== '') return { stem: fileName, isMarked: false };
	if (image) return { stem: nameAfterFile(label, image.suffix), isMarked: false };
	return { stem: nameAfterPrompt(label), isMarked: true };
}

/** Identifies a job within the execution. */
function jobKey({ runName }: Item, identity: unknown[]): string {
	// 96 bits: a collision among 10,000 jobs is less likely than a memory fault.
	const digest = hash('sha256', JSON.stringify(identity), 'base64url').slice(0, 16);
	return `${runName}.${digest}`;
}

/** Left out of a key, which contains the image and the number of the copy themselves. */
const SELECTING = Object.keys({ ...imageFields, numberOfImages });

/**
 * The parameters of a request as written, before expressions are evaluated: `$now` in a prompt does not
 * make it a different job, an edit does.
 */
function writtenParameters({ node }: Item, { fields, options }: Operation): unknown[] {
	const { options: added, ...parameters } = node.parameters;
	const written = { ...parameters, ...(added as INodeParameters | undefined) };
	// A field or an option of a later version changes no job's key. n8n adds each missing field with its
	// default, but no missing option (2.41.1, 1.123.81).
	const isWritten = (name: string) =>
		written[name] !== undefined && written[name] !== fields[name]?.property.default;
	return Object.keys({ ...fields, ...options, additionalFields })
		.filter((name) => !SELECTING.includes(name) && isWritten(name))
		.map((name) => [name, written[name]]);
}

/** The job of an item that can't be planned. Include Input Fields is read even if all else is invalid. */
export function invalidJob(attempt: Planning, itemIndex: number, problem: Failure): PlannedJob {
	const job = { itemIndex, label: '', includesInput: false, problem };
	const option = 'options.includeInputFields';
	try {
		const value: unknown = attempt.context.getNodeParameter(option, itemIndex, false);
		return { ...job, includesInput: !attempt.isTool && itemOptions.includeInputFields.read(value) };
	} catch {
		return job;
	}
}
