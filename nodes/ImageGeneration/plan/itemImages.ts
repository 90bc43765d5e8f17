import type { IBinaryData } from 'n8n-workflow';

import { BadInput, settle, toFailure } from '../failures/failures';
import type { ValuesOf } from '../fields/field';
import { ADDRESS_FIELD, FILE_FIELD, imageFields } from '../fields/image';
import { requiredText } from '../fields/readValue';
import { imageFile } from '../images/imageFile';
import { cut } from '../values/text';
import { allImages, type AllImages } from './allImages';
import { noAddressIn, readWebAddress } from './imageAddress';
import type { Item, ItemImage } from './item';
import { itemFiles, type ItemFiles } from './itemFiles';
import { noImageAtAll, noSuchFile, severalImages } from './missingFile';
import { hasLostPlusSigns } from './pastedImage';
import { select, type ImageField, type Selected } from './readers';

/** Characters of an address, or of an image in base64, that the output shows. */
const LONGEST_SOURCE = 200;

/**
 * Finds the images that an item's fields select, and reads the first bytes of each file. If one of
 * several is invalid, only its own outcome fails.
 * @throws BadInput if there is none.
 */
export async function itemImages(
	item: Item,
	{ inputType, imageUrl, binaryPropertyName }: ValuesOf<typeof imageFields>,
): Promise<ItemImage[]> {
	if (inputType === 'all') return await everyImage(item);
	const isUrl = inputType === 'url';
	const field = isUrl ? ADDRESS_FIELD : FILE_FIELD;
	const given = isUrl ? imageUrl : binaryPropertyName;
	const isObject = typeof given === 'object' && given !== null;
	const value: unknown = isObject ? given : requiredText(field, given);
	const imageField: ImageField = { ...item, field, files: isUrl ? [] : itemFiles(item) };
	const isUntouched = value === imageFields.binaryPropertyName.property.default;
	const selected = unique(select(value, imageField));
	const images: ItemImage[] = [];
	// One after the other, to limit open files; items are planned in parallel.
	for (const each of selected) images.push(await imageOf(imageField, each, isUntouched));
	const isSeveral = images.length > 1 || Array.isArray(value);
	return isSeveral ? images : images.map((image) => ({ ...image, source: undefined }));
}

async function everyImage(item: Item): Promise<ItemImage[]> {
	const files = itemFiles(item);
	const { images, skipped } = await imagesAmong(item, files);
	if (images.length === 0) throw noImageAtAll(item, files);
	return images.map((image) => ({ ...image, skipped }));
}

async function imagesAmong(item: Item, files: ItemFiles): Promise<AllImages> {
	return await allImages(files, async ([field, file]) => await imageInFile(item, field, file));
}

/** Files may have the same name, addresses may not. */
function unique(selected: readonly Selected[]): Selected[] {
	const seen = new Set<unknown>();
	return selected.filter((each) => {
		const key = each.kind === 'file' ? each.file : each.source;
		const isNew = !seen.has(key);
		seen.add(key);
		return isNew;
	});
}

async function imageOf(
	item: ImageField,
	selected: Selected,
	isUntouched: boolean,
): Promise<ItemImage> {
	switch (selected.kind) {
		case 'file':
			return await imageInFile(item, selected.source, selected.file, selected.where);
		case 'pasted': {
			const about = `The data: address in '${item.field}'`;
			return await imageInFile(item, selected.source, selected.file, item.field, about);
		}
		case 'address':
			return imageAtAddress(item, selected.source);
		case 'none':
			return item.field === ADDRESS_FIELD
				? invalid(selected.source, noAddressIn(selected.value))
				: await onlyImage(item, selected.source, selected.value, isUntouched);
	}
}

/** Reads the first bytes of a file. @param where The field that has it. */
async function imageInFile(
	{ context }: Item,
	source: string,
	file: IBinaryData,
	where = source,
	about?: string,
): Promise<ItemImage> {
	const { id, data, fileName: label = 'image' } = file;
	const image = { label, source: cut(source, LONGEST_SOURCE) };
	const part = await settle(imageFile(context.helpers, file, about));
	if ('failure' in part) return { ...image, part };
	const isDamaged = id === undefined && hasLostPlusSigns(data);
	return { ...image, part: isDamaged ? lostPlusSigns(where) : part };
}

function lostPlusSigns(where: string): { failure: BadInput['failure'] } {
	const problem = new BadInput(
		`The image in base64 in '${where}' has spaces where plus signs were.`,
		'Forms (x-www-form-urlencoded) turn plus signs into spaces: send each as %2B, or send the image as JSON or as a file.',
	);
	return { failure: problem.failure };
}

function imageAtAddress(item: ImageField, address: string): ItemImage {
	const source = cut(address, LONGEST_SOURCE);
	try {
		const { hostname } = new URL(item.service.baseUrl.origin);
		const { name: label, address: value } = readWebAddress(address, hostname);
		return { label, source, part: { value } };
	} catch (error) {
		return invalid(source, error);
	}
}

/**
 * The item's only image, if the name of its field was left at its default and the item has no such field: between two
 * nothing is guessed.
 */
async function onlyImage(
	item: ImageField,
	source: string,
	value: unknown,
	isUntouched: boolean,
): Promise<ItemImage> {
	const { images } = await imagesAmong(item, item.files);
	const [only, ...others] = isUntouched ? images : [];
	if (others.length > 0) return invalid(source, severalImages(images));
	const fields = images.map((image) => image.source ?? '');
	return only ?? invalid(source, noSuchFile(item, item.files, fields, value, !isUntouched));
}

function invalid(source: string, problem: unknown): ItemImage {
	return {
		label: '',
		source: cut(source, LONGEST_SOURCE),
		part: { failure: toFailure(problem) },
	};
}
