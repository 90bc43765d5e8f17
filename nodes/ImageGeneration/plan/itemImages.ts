import { hash } from 'crypto';
import type { IBinaryData } from 'n8n-workflow';

import { BadInput, toFailure } from '../failures/failures';
import { settle, type Outcome } from '../failures/outcome';
import { quote } from '../failures/text';
import { fieldReader } from '../fields/field';
import { FILE_FIELD, imageFields, readAddress } from '../fields/image';
import { requiredText } from '../fields/readValue';
import { imageFile } from '../images/imageFile';
import type { InputFile } from '../images/streamedFile';
import { findFile, itemFiles, noImageAtAll, noSuchFile, severalImages } from './itemFiles';
import type { ItemFile } from './itemFiles';
import type { Planning } from './planAll';

/** One input image of an item, or its prompt if it has none. */
export interface ItemImage {
	/** Field name or address, if Image Source can select several. */
	source: string | undefined;
	/** Any of these identifies it among the item's images, even after n8n renames its file. */
	keys: string[];
	/** Its file name, the last segment of its address, or the prompt; empty if there is no such image. */
	name: string;
	/** The part `image` of a request (section 2.2): a file, or an address. */
	part: Outcome<InputFile | string | undefined>;
}

/** The images of an item, and the names of its files that are not images. */
interface ItemImages {
	images: ItemImage[];
	skipped: string[];
}

/** The default of Input Data Field Name(s), so probably not typed by the user. */
const DEFAULT_NAME = 'data';

/**
 * Finds the images that an item's fields select, and reads the first bytes of each file. If one of
 * several is invalid, only its own outcome fails.
 * @throws BadInput if there is none.
 */
export async function itemImages(
	run: Planning,
	itemIndex: number,
	valueOf: (name: string) => unknown,
): Promise<ItemImages> {
	const read = fieldReader(imageFields, valueOf);
	const source = read('inputType');
	if (source === 'url') {
		const addresses = read('imageUrl');
		const paths = [addresses].flat().map(pathOf);
		return await imagesOf(addresses, async (address) => {
			const isOnly = paths.filter((path) => path === pathOf(address)).length === 1;
			return await imageAtAddress(run, address, isOnly);
		});
	}
	const files = itemFiles(run.context, itemIndex);
	if (source === 'binary') {
		const names = namesIn(read('binaryPropertyName'), files);
		return await imagesOf(names, async (name) => await imageInField(run, itemIndex, files, name));
	}
	const all = await allImages(run, files);
	if (all.images.length === 0) throw noImageAtAll(run, files);
	return all;
}

/** Finds the image of a field, or one for each entry of a list. Only the latter have a source. */
async function imagesOf<T>(
	selected: T | T[],
	find: (value: T) => Promise<ItemImage>,
): Promise<ItemImages> {
	const images: ItemImage[] = [];
	// Sequential, to limit open files; items are planned in parallel.
	for (const value of Array.isArray(selected) ? selected : [selected]) {
		const image = await find(value);
		images.push(Array.isArray(selected) ? image : { ...image, source: undefined });
	}
	return { images, skipped: [] };
}

/** Reads files that the user did not select, so that only their bytes count. */
async function allImages({ context }: Planning, files: readonly ItemFile[]): Promise<ItemImages> {
	const all: ItemImages = { images: [], skipped: [] };
	for (const { field, binary } of files) {
		const part = await settle(imageFile(context.helpers, { ...binary, mimeType: '' }));
		if ('failure' in part && part.failure.kind === 'not an image')
			all.skipped.push(binary.fileName ?? field);
		else all.images.push({ ...keyAndName(binary), source: field, part });
	}
	return all;
}

/** The names that a text lists. What an expression returned instead of text stays as it is. */
function namesIn(value: unknown, files: readonly ItemFile[]): unknown {
	// A name may contain a comma or spaces at its ends, if there is such a file.
	if (typeof value !== 'string' || files.some(({ field }) => field === value)) return value;
	const names = requiredText(FILE_FIELD, value)
		.split(',')
		.map((name) => name.trim());
	if (names.includes('')) {
		throw new BadInput(
			`'${FILE_FIELD}' is ${quote(value)}, which contains an empty name.`,
			'Separate the names with single commas.',
		);
	}
	return names.length === 1 ? names[0] : [...new Set(names)];
}

async function imageInField(
	run: Planning,
	itemIndex: number,
	files: readonly ItemFile[],
	value: unknown,
): Promise<ItemImage> {
	const binary = findFile(run.context, itemIndex, files, value);
	const source = typeof value === 'string' ? value : (binary?.fileName ?? 'file');
	if (binary !== undefined) {
		const part = await settle(imageFile(run.context.helpers, binary));
		return { ...keyAndName(binary), source, part };
	}
	const { images } = value === DEFAULT_NAME ? await allImages(run, files) : { images: [] };
	if (images.length > 1) throw severalImages(images.map(({ source: field = '' }) => field));
	const { failure } = noSuchFile(run, files, value);
	return { ...(images[0] ?? { keys: [], name: '', part: { failure } }), source };
}

/** @param isOnly Whether no other address of the item has the same path. */
async function imageAtAddress(run: Planning, address: string, isOnly: boolean): Promise<ItemImage> {
	const source = address.length > 200 ? `${address.slice(0, 199)}…` : address;
	// The query of a signed address changes with every run.
	const keys = isOnly ? [address, pathOf(address)] : [address];
	try {
		const { name, file } = readAddress(address);
		const about = "The data: address in 'Image URL'";
		const part = file && (await settle(imageFile(run.context.helpers, file, about)));
		return { source, keys, name, part: part ?? { value: address } };
	} catch (error) {
		return { source, keys, name: '', part: { failure: toFailure(error) } };
	}
}

function pathOf(address: string): string {
	return address.split(/[?#]/, 1).join('');
}

/** n8n renames uploads during the execution, but the last part of the id stays the same (2.40.3). */
function keyAndName({ id, data, fileName = 'image' }: IBinaryData) {
	const key = id === undefined ? hash('sha256', data, 'hex') : id.slice(id.lastIndexOf('/') + 1);
	return { keys: [key], name: fileName };
}
