import { hash } from 'crypto';

import { BadInput, settle, toFailure } from '../failures/failures';
import type { ValuesOf } from '../fields/field';
import { ADDRESS_FIELD, FILE_FIELD, imageFields } from '../fields/image';
import { requiredText } from '../fields/readValue';
import { imageFile, type InputFile } from '../images/imageFile';
import { cut, quote } from '../values/text';
import { beginsLikeWebAddress } from '../values/webAddress';
import { addressesIn, isPastedImage } from './addressesIn';
import { addressesOf } from './addressesOf';
import { allImages, noImageToTake } from './allImages';
import type { ItemFile } from './fileObjects';
import { readWebAddress } from './imageAddress';
import type { Item, ItemImage } from './item';
import { findFile, itemFiles, type ItemFiles } from './itemFiles';
import { noSuchFile, severalImages } from './missingFile';
import { imageInText } from './pastedImage';
import { restoreBase64 } from './restoreBase64';

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
	if (inputType === 'url') {
		const addresses = addressesOf(imageUrl);
		const paths = [addresses].flat().map(pathOf);
		return await imagesOf(addresses, async (address) => await imageAtAddress(item, address, paths));
	}
	const files = itemFiles(item);
	if (inputType === 'binary') {
		const names = namesIn(binaryPropertyName, files);
		const isDefault = names === imageFields.binaryPropertyName.property.default;
		return await imagesOf(names, async (name) => await imageInField(item, files, name, isDefault));
	}
	const all = await imagesAmong(item, files);
	if (all.images.length === 0) throw noImageToTake(item, files, all);
	return all.images.map((image) => ({ ...image, skipped: all.skipped }));
}

/** Finds the image of a field, or one for each entry of a list. Only the latter have a source. */
async function imagesOf<T>(selected: T | T[], find: (value: T) => Promise<ItemImage>) {
	if (!Array.isArray(selected)) return [{ ...(await find(selected)), source: undefined }];
	const images: ItemImage[] = [];
	// Sequential, to limit open files; items are planned in parallel.
	for (const value of selected) images.push(await find(value));
	return images;
}

async function imagesAmong(item: Item, files: ItemFiles) {
	return await allImages(files, async (field, binary) => await imageIn(item, field, binary));
}

/** The names that a text lists. What an expression returned instead of text stays as it is. */
function namesIn(value: unknown, files: ItemFiles): unknown {
	// A name may contain a comma or spaces at its ends, if there is such a file.
	if (typeof value !== 'string' || files.some(([field]) => field === value)) return value;
	const text = requiredText(FILE_FIELD, value);
	const pasted = addressesIn(text);
	if (pasted.some((part) => isPastedImage(part) || beginsLikeWebAddress(part))) {
		return pasted.length === 1 ? pasted[0] : pasted;
	}
	const names = text.split(',').map((name) => name.trim());
	if (names.includes('')) {
		throw new BadInput(
			`'${FILE_FIELD}' is ${quote(value)}, which contains an empty name.`,
			'Separate the names with single commas.',
		);
	}
	return names.length === 1 ? names[0] : [...new Set(names)];
}

/** @param isDefault Whether the user probably did not choose the name. */
async function imageInField(item: Item, files: ItemFiles, value: unknown, isDefault: boolean) {
	const isField = files.some(([field]) => field === value);
	if (typeof value === 'string' && !isField && isPastedImage(value)) {
		return await pastedImage(item, FILE_FIELD, value);
	}
	const binary = findFile(item, files, value);
	const source = typeof value === 'string' ? value : (binary?.fileName ?? 'file');
	if (binary !== undefined) {
		return await imageIn(item, source, binary, typeof value === 'string' ? value : FILE_FIELD);
	}
	const { images } = await imagesAmong(item, files);
	const [only, ...others] = isDefault ? images : [];
	if (others.length > 0) throw severalImages(images);
	const fields = images.map((image) => image.source ?? '');
	const { failure } = noSuchFile(item, files, fields, value, !isDefault);
	return only ?? { label: '', source, keys: [], part: { failure } };
}

/** Reads the first bytes of the image in a `data:` address or in base64. */
async function pastedImage({ context }: Item, field: string, text: string): Promise<ItemImage> {
	const label = 'image';
	const source = cut(text, LONGEST_SOURCE);
	const keys = [hash('sha256', text, 'hex')];
	try {
		const binary = imageInText(field, text);
		const about = `The data: address in '${field}'`;
		return { label, source, keys, part: await settle(imageFile(context.helpers, binary, about)) };
	} catch (error) {
		return { label: '', source, keys, part: { failure: toFailure(error) } };
	}
}

/**
 * Reads the first bytes of a file.
 * @param field Where it stands.
 */
async function imageIn(
	item: Item,
	source: string,
	binary: ItemFile,
	field = source,
): Promise<ItemImage> {
	const { id, data, fileName: label = 'image' } = binary;
	const part = await settle(wholeImage(item, field, binary));
	if ('failure' in part) return { label, source, keys: [], part };
	// n8n renames uploads during the execution, but the last part of the id stays the same (2.41.1).
	const key = id === undefined ? hash('sha256', data, 'hex') : id.slice(id.lastIndexOf('/') + 1);
	return { label, source, keys: [key], part };
}

/** @throws BadInput if a file is no image, or if its text was damaged on its way. */
async function wholeImage(
	{ context }: Item,
	field: string,
	{ textLength, ...binary }: ItemFile,
): Promise<InputFile> {
	const image = await imageFile(context.helpers, binary);
	if (textLength === undefined) return image;
	const data = restoreBase64(field, binary.data, textLength);
	return data === binary.data ? image : await imageFile(context.helpers, { ...binary, data });
}

/** @param paths Those of all addresses of the item. */
async function imageAtAddress(item: Item, address: string, paths: string[]): Promise<ItemImage> {
	if (isPastedImage(address)) return await pastedImage(item, ADDRESS_FIELD, address);
	const source = cut(address, LONGEST_SOURCE);
	const path = pathOf(address);
	// The query of a signed address changes with every run. An edit of 'Image URL' means another image.
	const isOnly = paths.filter((each) => each === path).length === 1;
	const keys = isOnly ? [address, [path, item.node.parameters.imageUrl]] : [address];
	try {
		const { hostname } = new URL(item.service.baseUrl.origin);
		const { name: label, address: value } = readWebAddress(address, hostname);
		return { label, source, keys, part: { value } };
	} catch (error) {
		return { label: '', source, keys, part: { failure: toFailure(error) } };
	}
}

function pathOf(address: string): string {
	return address.split(/[?#]/, 1).join('');
}
