import type { IBinaryData } from 'n8n-workflow';

import { settle, toFailure } from '../failures/failures';
import type { ValuesOf } from '../fields/field';
import { ADDRESS_FIELD, FILE_FIELD, imageFields } from '../fields/image';
import { requiredText } from '../fields/readValue';
import { imageFile } from '../images/imageFile';
import { SMALLEST_IMAGE } from '../images/imageType';
import { cut } from '../values/text';
import { noAddressIn, readWebAddress } from './imageAddress';
import type { Item, ItemImage } from './item';
import { itemFiles, type ItemFiles } from './itemFiles';
import { noImage, noSuchFile } from './missingFile';
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

async function everyImage(item: Item): Promise<ItemImage[]> {
	const files = itemFiles(item);
	const { images, skipped } = await imagesAmong(item, files);
	if (images.length === 0) throw noImage(item, files);
	return images.map((image) => ({ ...image, skipped }));
}

/** The images among files, and the names of the other files. */
async function imagesAmong(
	item: Item,
	files: ItemFiles,
): Promise<{ images: ItemImage[]; skipped: string[] }> {
	const images: ItemImage[] = [];
	const skipped: string[] = [];
	for (const [field, file] of files) {
		const image = await imageInFile(item, field, file);
		if (isSkipped(image)) skipped.push(file.fileName ?? field);
		else images.push(image);
	}
	return { images, skipped };
}

/** A file that can't be read is not skipped: its row says why. */
function isSkipped({ part }: ItemImage): boolean {
	if ('failure' in part) return part.failure.kind === 'not an image';
	return typeof part.value === 'object' && part.value.size < SMALLEST_IMAGE;
}

async function imageOf(
	item: ImageField,
	selected: Selected,
	isUntouched: boolean,
): Promise<ItemImage> {
	const { source } = selected;
	switch (selected.kind) {
		case 'file':
			return await imageInFile(item, source, selected.file);
		case 'address':
			return imageAtAddress(item, source);
		case 'none':
			return item.field === ADDRESS_FIELD
				? invalid(source, noAddressIn(selected.value))
				: await onlyImage(item, source, selected.value, isUntouched);
	}
}

/** Reads the first bytes of a file. */
async function imageInFile(
	{ context }: Item,
	source: string,
	file: IBinaryData,
): Promise<ItemImage> {
	const { fileName: label = 'image' } = file;
	const part = await settle(imageFile(context.helpers, file));
	return { label, source: cut(source, LONGEST_SOURCE), part };
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
	const [only, ...others] = images;
	if (isUntouched && only !== undefined && others.length === 0) return only;
	const fields = images.map((image) => image.source ?? '');
	return invalid(source, noSuchFile(item, value, fields));
}

function invalid(source: string, problem: unknown): ItemImage {
	return {
		label: '',
		source: cut(source, LONGEST_SOURCE),
		part: { failure: toFailure(problem) },
	};
}
