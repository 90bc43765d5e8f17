import { hash } from 'crypto';
import type { INodeParameters } from 'n8n-workflow';

import { toFailure, type Failure } from '../failures/failures';
import { additionalFieldsOption, withAdditionalFields } from '../fields/additionalFields';
import { fieldReader, readOptions } from '../fields/field';
import { downloadField, itemOptions, outputOption } from '../fields/options';
import { nameAfterFile, nameAfterPrompt } from '../images/fileName';
import { operationOf } from '../operations';
import type { Operation } from '../operations/operation';
import type { Job, PlannedJob } from '../types';
import { itemImages, type ItemImage } from './itemImages';
import type { Planning } from './planAll';

/** The jobs of an item, and the names of its files that are not images. */
export interface ItemPlan {
	jobs: PlannedJob[];
	skipped: string[];
}

/**
 * Reads and checks one item, and plans a job for each of its images and copies. What can't be sent
 * becomes an invalid job and does not affect the others.
 * @param valueOf Reads a parameter of the item.
 */
export async function planItem(
	run: Planning,
	itemIndex: number,
	valueOf: (name: string) => unknown,
): Promise<ItemPlan> {
	try {
		const item = readItem(run, valueOf);
		const { text = '' } = item.textParts;
		const prompt = { source: undefined, keys: [''], name: text, part: { value: undefined } };
		const { images, skipped } = item.operation.image
			? await itemImages(run, itemIndex, valueOf)
			: { images: [prompt], skipped: [] };
		return { jobs: images.flatMap((image) => jobsFor(run, item, itemIndex, image)), skipped };
	} catch (error) {
		return { jobs: [unplannedJob(run, itemIndex, toFailure(error))], skipped: [] };
	}
}

/** Reads the parameters that all jobs of an item share. */
function readItem({ isTool }: Planning, valueOf: (name: string) => unknown) {
	const rawOptions = Object(valueOf('options')) as Record<string, unknown>;
	const optionOf = (name: string): unknown => rawOptions[name];
	const operation = operationOf(valueOf('operation'));
	const options = readOptions(operation.options, optionOf);
	const { additionalFields } = readOptions(additionalFieldsOption, optionOf);
	const textParts = operation.textParts({ read: fieldReader(operation.fields, valueOf), options });
	// For an AI agent nothing is downloaded, because files would break the agent's response.
	const downloads = !isTool && fieldReader(downloadField, valueOf)('download');
	return {
		operation,
		textParts: withAdditionalFields(textParts, additionalFields),
		copies: 'numberOfImages' in options ? Number(options.numberOfImages) : 1,
		outputField: downloads ? readOptions(outputOption, optionOf).outputPropertyName : undefined,
		options: readOptions(itemOptions, optionOf),
	};
}

/** Plans the copies of an image. */
function jobsFor(
	run: Planning,
	{ operation, textParts, copies, outputField, options }: ReturnType<typeof readItem>,
	itemIndex: number,
	{ name: label, source, keys: images, part }: ItemImage,
): PlannedJob[] {
	const includesInput = !run.isTool && options.includeInputFields;
	const place = { itemIndex, label, includesInput, ...(source !== undefined && { source }) };
	if ('failure' in part) return [{ ...place, problem: part.failure }];
	const image = part.value;
	const { model, image: rules } = operation;
	const request = {
		model,
		fields: typeof image === 'string' ? { image, ...textParts } : textParts,
		...(typeof image === 'object' && { file: image }),
	};
	const defaultName = rules ? nameAfterFile(label, rules.suffix) : nameAfterPrompt(label);
	// An agent sets new values with each call of a tool.
	const shape = run.isTool ? request.fields : writtenParameters(run, operation);
	return Array.from({ length: copies }, (_, index): Job => {
		const copy = index + 1;
		return {
			...place,
			...(copies > 1 && { copy }),
			keys: jobKeys(run, images, [itemIndex, model, copy, shape]),
			request,
			fileName: options.fileName || defaultName,
			outputField,
			options,
		};
	});
}

/**
 * Identifies a job within the execution. There is one key for each way to recognize the input image;
 * all but the first apply only while 'Image URL' is as it was.
 */
function jobKeys({ node, runName }: Planning, images: string[], identity: unknown[]): string[] {
	return images.map((image, index) => {
		const written = index === 0 ? [] : [node.parameters.imageUrl];
		const text = JSON.stringify([image, ...identity, ...written]);
		// 96 bits: a collision among 10,000 jobs is less likely than a memory fault.
		return `${runName}.${hash('sha256', text, 'base64url').slice(0, 16)}`;
	});
}

/** Parameters that select images and copies, which a key contains anyway. */
const SELECTING = ['inputType', 'binaryPropertyName', 'imageUrl', 'numberOfImages'];

/**
 * The parameters of a request as written, before expressions are evaluated: `$now` in a prompt does not
 * make it a different job, an edit does.
 */
function writtenParameters({ node }: Planning, { fields, options }: Operation): unknown[] {
	const { options: added, ...parameters } = node.parameters;
	const written = { ...parameters, ...(added as INodeParameters | undefined) };
	return Object.keys({ ...fields, ...options, ...additionalFieldsOption })
		.filter((name) => !SELECTING.includes(name))
		.map((name) => written[name] ?? null);
}

/** The job of an item that can't be planned. Include Input Fields is read even if all else is invalid. */
export function unplannedJob(
	{ context, isTool }: Pick<Planning, 'context' | 'isTool'>,
	itemIndex: number,
	problem: Failure,
): PlannedJob {
	const job = { itemIndex, label: '', includesInput: false, problem };
	try {
		const value: unknown = context.getNodeParameter('options.includeInputFields', itemIndex, false);
		return { ...job, includesInput: !isTool && itemOptions.includeInputFields.read(value) };
	} catch {
		return job;
	}
}
