import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { NotAnImage } from '../failures/failures';
import { settle, type Outcome } from '../failures/outcome';
import { readAddress, type ImageChoice } from '../fields/image';
import { imageFile } from '../images/imageFile';
import type { StreamedFile } from '../images/streamedFile';
import type { Run } from '../run';
import type { ImageSource, SkippedFile } from '../types';
import { fileKey } from './fileKey';
import { findFile, itemFiles, type ItemFile } from './itemFiles';
import { noImageAtAll, noSuchFile } from './missingFile';

/** What goes out as the part `image` (section 2.2): a file, or an address as text. */
export type ImagePart = { file: StreamedFile } | { address: string };

/** One input image of an item. */
export interface ItemImage {
	/** Field or address, where Image Source may give several. */
	source?: string;
	/** Tells it from the item's other images, also after n8n has renamed its file. */
	key: string;
	/** Its file name, or the last segment of its address. */
	name: string;
	part: Outcome<ImagePart>;
}

/** The images of an item, and the files among which they were found. */
export interface ItemImages {
	images: ItemImage[];
	skipped: SkippedFile[];
}

/** The default of Input Data Field Name(s); nobody has typed it. */
const UNTOUCHED = 'data';

/**
 * Finds the images that an item's fields choose, and looks at the first bytes of each file.
 * @throws BadInput when there is none; what is wrong with one of several is its own outcome.
 */
export async function itemImages(
	run: Run,
	itemIndex: number,
	choice: ImageChoice,
): Promise<ItemImages> {
	if (choice.from === 'all') return await allImages(run, itemIndex);
	const images: ItemImage[] = [];
	// One after the other, so that an item with many files opens few; items are planned side by side.
	if (choice.from === 'addresses') {
		for (const address of choice.addresses) {
			images.push(await addressed(run, address, choice.isList));
		}
	} else {
		for (const value of choice.files) {
			images.push(await named(run, itemIndex, value, choice.isList));
		}
	}
	return { images, skipped: [] };
}

async function allImages(run: Run, itemIndex: number): Promise<ItemImages> {
	const files = itemFiles(run.context, itemIndex);
	const looked = await lookAt(run, files);
	const skipped = looked.flatMap(({ file, part }) => (isNoImage(part) ? [file] : []));
	const images = looked.flatMap(({ file, part }) =>
		isNoImage(part) ? [] : [{ ...described(file.binary), source: file.field, part }],
	);
	if (images.length === 0) throw noImageAtAll(run, files);
	return {
		images,
		skipped: skipped.map(({ field, binary }) => ({ itemIndex, name: binary.fileName ?? field })),
	};
}

async function named(
	run: Run,
	itemIndex: number,
	value: unknown,
	isList: boolean,
): Promise<ItemImage> {
	const binary =
		findFile(run.context, itemIndex, value) ??
		(value === UNTOUCHED ? await onlyImage(run, itemIndex) : undefined);
	const field = typeof value === 'string' ? value : (binary?.fileName ?? 'file');
	if (binary === undefined) {
		const failure = noSuchFile(run, itemIndex, value);
		if (!isList) throw failure;
		return { source: field, key: field, name: field, part: { failure } };
	}
	const part = await settle(filePart(run.context, { kind: 'binary', binary }));
	return { ...described(binary), ...(isList && { source: field }), part };
}

async function addressed(run: Run, address: string, isList: boolean): Promise<ItemImage> {
	const source = address.length > 200 ? `${address.slice(0, 199)}…` : address;
	const found = await settle(Promise.resolve().then(() => readAddress(address)));
	// Signed addresses change their query with every run.
	const [key = ''] = address.split(/[?#]/, 1);
	const common = { key, ...(isList && { source }) };
	if ('failure' in found) {
		if (!isList) throw found.failure;
		return { ...common, name: source, part: found };
	}
	const image = found.value;
	const part =
		'file' in image
			? await settle(filePart(run.context, image.file))
			: { value: { address: image.address } };
	return { ...common, name: image.name, part };
}

/** The one image of an item, if there is exactly one. */
async function onlyImage(run: Run, itemIndex: number): Promise<IBinaryData | undefined> {
	const looked = await lookAt(run, itemFiles(run.context, itemIndex));
	const [first, ...others] = looked.filter(({ part }) => 'value' in part);
	return others.length === 0 ? first?.file.binary : undefined;
}

async function lookAt(
	run: Run,
	files: ItemFile[],
): Promise<Array<{ file: ItemFile; part: Outcome<ImagePart> }>> {
	const looked = [];
	for (const file of files) {
		const source: ImageSource = { kind: 'binary', binary: file.binary };
		// What a file claims to be does not count here: nobody has chosen it.
		looked.push({ file, part: await settle(filePart(run.context, source, { byBytes: true })) });
	}
	return looked;
}

async function filePart(
	context: IExecuteFunctions,
	source: ImageSource,
	rules?: { byBytes: boolean },
): Promise<ImagePart> {
	return { file: await imageFile(context.helpers, source, rules) };
}

function isNoImage(part: Outcome<ImagePart>): boolean {
	return 'failure' in part && part.failure instanceof NotAnImage;
}

function described(binary: IBinaryData): Pick<ItemImage, 'key' | 'name'> {
	return { key: fileKey(binary), name: binary.fileName ?? 'image' };
}
