import { toFailure } from '../failures/failures';
import { additionalFieldsOption, withAdditionalFields } from '../fields/additionalFields';
import { downloadField, downloadOptions } from '../fields/download';
import { fieldReader, readOptions } from '../fields/field';
import { imageFields, readImageChoice } from '../fields/image';
import { itemOptions, type ItemOptions } from '../fields/options';
import { nameAfterFile, nameAfterPrompt } from '../images/fileName';
import { operationOf } from '../operations';
import type { Operation } from '../operations/operation';
import type { Job, JobPlace, JobRequest, PlannedJob } from '../types';
import { itemFiles } from './itemFiles';
import { itemImages, type ImagePart, type ItemImage, type ItemImages } from './itemImages';
import { jobKeys } from './jobKeys';
import type { Planning } from './planning';

/** The jobs of an item, and the names of its files that are not images. */
export interface ItemPlan {
	jobs: PlannedJob[];
	skipped: string[];
}

/**
 * Reads and checks one item, and plans a job for each of its images and copies. What can't be sent
 * becomes an invalid job and does not affect the others.
 */
export async function planItem(run: Planning, itemIndex: number): Promise<ItemPlan> {
	try {
		const item = readItem(run, itemIndex);
		const { images, skipped } = await originalsOf(run, item, itemIndex);
		return { jobs: images.flatMap((image) => copiesOf(run, item, itemIndex, image)), skipped };
	} catch (error) {
		const place = { itemIndex, label: '', includesInput: includesInput(run, itemIndex) };
		return { jobs: [{ ...place, problem: toFailure(error) }], skipped: [] };
	}
}

/** The parameters that all jobs of an item share. */
interface Item {
	operation: Operation;
	/** The value of a parameter, unchecked. */
	valueOf: (name: string) => unknown;
	textParts: Record<string, string>;
	copies: number;
	outputField: string | undefined;
	options: ItemOptions;
}

/** For an AI agent nothing is downloaded, because files would break the agent's response. */
function readItem({ readParameter, isTool }: Planning, itemIndex: number): Item {
	const valueOf = (name: string): unknown => readParameter(name, itemIndex);
	const rawOptions = Object(valueOf('options')) as Record<string, unknown>;
	const optionOf = (name: string): unknown => rawOptions[name];
	const operation = operationOf(valueOf('operation'));
	const options = readOptions(operation.options, optionOf);
	const { additionalFields } = readOptions(additionalFieldsOption, optionOf);
	const textParts = operation.textParts({ read: fieldReader(operation.fields, valueOf), options });
	const downloads = !isTool && fieldReader(downloadField, valueOf)('download');
	return {
		operation,
		valueOf,
		textParts: withAdditionalFields(textParts, additionalFields),
		copies: 'numberOfImages' in options ? Number(options.numberOfImages) : 1,
		outputField: downloads ? readOptions(downloadOptions, optionOf).outputPropertyName : undefined,
		options: readOptions(itemOptions, optionOf),
	};
}

/** What an item's images are made of: its input images, or its prompt alone. */
async function originalsOf(
	run: Planning,
	{ operation, textParts: { text = '' }, valueOf }: Item,
	itemIndex: number,
): Promise<ItemImages> {
	if (operation.image === undefined) {
		const prompt = { source: undefined, keys: [''], name: text, part: { value: undefined } };
		return { images: [prompt], skipped: [] };
	}
	const hasField = (name: string) =>
		itemFiles(run.context, itemIndex).some(({ field }) => field === name);
	const choice = readImageChoice(fieldReader(imageFields, valueOf), hasField);
	return await itemImages(run, itemIndex, choice);
}

function copiesOf(run: Planning, item: Item, itemIndex: number, original: ItemImage): PlannedJob[] {
	const { operation, textParts, copies, outputField, options } = item;
	const { name: label, source, keys: images, part } = original;
	const common: JobPlace = {
		itemIndex,
		label,
		includesInput: !run.isTool && options.includeInputFields,
		...(source !== undefined && { source }),
	};
	if ('failure' in part) return [{ ...common, problem: part.failure }];
	const request = requestFor(operation.model, textParts, part.value);
	const { image: rules } = operation;
	const defaultName = rules ? nameAfterFile(label, rules.suffix) : nameAfterPrompt(label);
	return Array.from({ length: copies }, (_, index): Job => {
		const copy = index + 1;
		return {
			...common,
			...(copies > 1 && { copy }),
			keys: jobKeys(run, itemIndex, { operation, request, images, copy }),
			request,
			fileName: options.fileName || defaultName,
			outputField,
			options,
		};
	});
}

function requestFor(
	model: string,
	fields: Record<string, string>,
	image: ImagePart | undefined,
): JobRequest {
	if (image === undefined) return { model, fields };
	if (typeof image !== 'string') return { model, fields, file: image };
	return { model, fields: { image, ...fields } };
}

/** Reads Include Input Fields, even if the item's other parameters are invalid. */
export function includesInput(
	{ context, isTool }: Pick<Planning, 'context' | 'isTool'>,
	itemIndex: number,
): boolean {
	if (isTool) return false;
	try {
		const { includeInputFields } = itemOptions;
		return readOptions({ includeInputFields }, (name) =>
			context.getNodeParameter(`options.${name}`, itemIndex, null),
		).includeInputFields;
	} catch {
		return false;
	}
}
