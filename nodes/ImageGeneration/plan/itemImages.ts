import type { IBinaryData } from 'n8n-workflow';

import { settle, type Outcome } from '../failures/outcome';
import type { ImageChoice } from '../fields/image';
import { readAddress } from '../fields/imageAddress';
import { imageFile } from '../images/imageFile';
import type { StreamedFile } from '../images/streamedFile';
import { findFile, itemFiles, type ItemFile } from './itemFiles';
import { fileKey } from './jobKeys';
import { noImageAtAll, noSuchFile, severalImages } from './missingFile';
import type { Planning } from './planning';

/** The part `image` of a request (section 2.2): a file, or an address. */
export type ImagePart = StreamedFile | string;

/** One input image of an item, or its prompt if it has none. */
export interface ItemImage {
	/** Field name or address, if Image Source can select several. */
	source: string | undefined;
	/** Any of these identifies it among the item's images, even after n8n renames its file. */
	keys: string[];
	/** Its file name, the last segment of its address, or the prompt; empty if there is no such image. */
	name: string;
	part: Outcome<ImagePart | undefined>;
}

/** The images of an item, and the names of its files that are not images. */
export interface ItemImages {
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
	choice: ImageChoice,
): Promise<ItemImages> {
	if (choice.from === 'all') return await allImages(run, itemIndex);
	const images: ItemImage[] = [];
	// Sequential, to limit open files; items are planned in parallel.
	if (choice.from === 'addresses') {
		const paths = choice.addresses.map(pathOf);
		for (const address of choice.addresses) {
			const isOnly = paths.filter((path) => path === pathOf(address)).length === 1;
			images.push(await imageAtAddress(run, address, isOnly));
		}
	} else {
		for (const value of choice.files) images.push(await imageInField(run, itemIndex, value));
	}
	const withSource = (image: ItemImage) =>
		choice.isList ? image : { ...image, source: undefined };
	return { images: images.map(withSource), skipped: [] };
}

async function allImages(run: Planning, itemIndex: number): Promise<ItemImages> {
	const files = itemFiles(run.context, itemIndex);
	const inspected = await inspect(run, files);
	const skipped = inspected.flatMap(({ file, part }) => (isNotAnImage(part) ? [file] : []));
	const images = inspected.flatMap(({ file, part }) =>
		isNotAnImage(part) ? [] : [{ ...keyAndName(file.binary), source: file.field, part }],
	);
	if (images.length === 0) throw noImageAtAll(run, files);
	return {
		images,
		skipped: skipped.map(({ field, binary }) => binary.fileName ?? field),
	};
}

async function imageInField(run: Planning, itemIndex: number, value: unknown): Promise<ItemImage> {
	const binary =
		findFile(run.context, itemIndex, value) ??
		(value === DEFAULT_NAME ? await onlyImage(run, itemIndex) : undefined);
	const source = typeof value === 'string' ? value : (binary?.fileName ?? 'file');
	if (binary === undefined) {
		const { failure } = noSuchFile(run, itemIndex, value);
		return { source, keys: [source], name: '', part: { failure } };
	}
	const part = await settle(imageFile(run.context.helpers, binary));
	return { ...keyAndName(binary), source, part };
}

/** @param isOnly Whether no other address of the item has the same path. */
async function imageAtAddress(run: Planning, address: string, isOnly: boolean): Promise<ItemImage> {
	const source = address.length > 200 ? `${address.slice(0, 199)}…` : address;
	// The query of a signed address changes with every run.
	const keys = isOnly ? [address, pathOf(address)] : [address];
	const found = await settle(Promise.resolve().then(() => readAddress(address)));
	if ('failure' in found) return { source, keys, name: '', part: found };
	const { name, file } = found.value;
	const subject = "The data: address in 'Image URL'";
	const part =
		file === undefined
			? { value: address }
			: await settle(imageFile(run.context.helpers, file, { subject }));
	return { source, keys, name, part };
}

/**
 * The image of an item, if it has exactly one.
 * @throws BadInput if it has several.
 */
async function onlyImage(run: Planning, itemIndex: number): Promise<IBinaryData | undefined> {
	const inspected = await inspect(run, itemFiles(run.context, itemIndex));
	const images = inspected.filter(({ part }) => 'value' in part).map(({ file }) => file);
	if (images.length > 1) throw severalImages(images.map(({ field }) => field));
	return images[0]?.binary;
}

/** Reads files that the user did not select, so that their claimed type counts for nothing. */
async function inspect(
	{ context }: Planning,
	files: ItemFile[],
): Promise<Array<{ file: ItemFile; part: Outcome<StreamedFile> }>> {
	const inspected = [];
	for (const file of files) {
		const part = await settle(imageFile(context.helpers, file.binary, { byBytes: true }));
		inspected.push({ file, part });
	}
	return inspected;
}

function isNotAnImage(part: ItemImage['part']): boolean {
	return 'failure' in part && part.failure.kind === 'not an image';
}

function pathOf(address: string): string {
	return address.split(/[?#]/, 1).join('');
}

function keyAndName(binary: IBinaryData): Pick<ItemImage, 'keys' | 'name'> {
	return { keys: [fileKey(binary)], name: binary.fileName ?? 'image' };
}
