import { toFailure } from '../failures/failures';
import type { Outcome } from '../failures/outcome';
import { additionalFieldsOption, withAdditionalFields } from '../fields/additionalFields';
import { downloadField, downloadOptions } from '../fields/download';
import { fieldReader, readOptions } from '../fields/field';
import { imageFields, readImageChoice } from '../fields/image';
import { itemOptions, type ItemOptions } from '../fields/options';
import { operationOf } from '../operations';
import type { Operation } from '../operations/operation';
import type { Job, JobPlace, JobRequest, PlannedJob, SkippedFile } from '../types';
import { itemFiles } from './itemFiles';
import { itemImages, type ImagePart, type ItemImage } from './itemImages';
import { jobKeys } from './jobKeys';
import { nameAfterFile, nameAfterPrompt } from './outputName';
import type { Planning } from './planning';

/** The jobs of an item, and its files that are not images. */
export interface ItemPlan {
	jobs: PlannedJob[];
	skipped: SkippedFile[];
}

/**
 * Reads and checks one item, and plans a job for each of its images and copies. What can't be sent
 * becomes an invalid job and does not affect the others.
 */
export async function planItem(run: Planning, itemIndex: number): Promise<ItemPlan> {
	try {
		const item = readItem(run, itemIndex);
		const { image: imageRules } = item.operation;
		if (imageRules === undefined) {
			const label = item.textParts.text ?? '';
			const prompt = { label, defaultName: nameAfterPrompt(label), part: { value: undefined } };
			return { jobs: copiesOf(run, item, itemIndex, prompt), skipped: [] };
		}
		const hasField = (name: string) =>
			itemFiles(run.context, itemIndex).some(({ field }) => field === name);
		const { images, skipped } = await itemImages(
			run,
			itemIndex,
			readImageChoice(fieldReader(imageFields, item.valueOf), hasField),
		);
		const jobs = images.flatMap(({ name, ...image }) => {
			const original = {
				...image,
				label: name,
				defaultName: nameAfterFile(name, imageRules.suffix),
			};
			return copiesOf(run, item, itemIndex, original);
		});
		return { jobs, skipped };
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

/** What an image is made of: a prompt alone, or an input image. */
interface Original extends Partial<Pick<ItemImage, 'source' | 'keys'>> {
	/** The prompt, or the image's name. */
	label: string;
	/** The file name if File Name is empty. */
	defaultName: string;
	part: Outcome<ImagePart | undefined>;
}

function copiesOf(run: Planning, item: Item, itemIndex: number, original: Original): PlannedJob[] {
	const { operation, textParts, copies, outputField, options } = item;
	const { label, defaultName, source, keys: images, part } = original;
	const common: JobPlace = {
		itemIndex,
		label,
		includesInput: !run.isTool && options.includeInputFields,
		...(source !== undefined && { source }),
	};
	if ('failure' in part) return [{ ...common, problem: part.failure }];
	const request = requestFor(operation.model, textParts, part.value);
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
