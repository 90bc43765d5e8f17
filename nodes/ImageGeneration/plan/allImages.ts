import { settle } from '../failures/failures';
import { sha256Of, type InputFile } from '../images/imageFile';
import type { SkippedFile } from '../types';
import type { ItemImage } from './item';
import type { ItemFiles } from './itemFiles';

/** A smaller image is a tracking pixel, by which the sender of a mail learns that it is read; in bytes. */
const SMALLEST_IMAGE = 100;

/** The images of an item, each once, and what is left out. */
export interface AllImages {
	images: ItemImage[];
	skipped: SkippedFile[];
}

/**
 * Finds the images among an item's files. Leaves out other files, tracking pixels, and files with the same
 * bytes as an earlier one; for these it reads whole files, but only those that begin alike and have the same size.
 * @param imageIn Reads the first bytes of a file.
 */
export async function allImages(
	files: ItemFiles,
	imageIn: (file: ItemFiles[number]) => Promise<ItemImage>,
): Promise<AllImages> {
	const images: ItemImage[] = [];
	const skipped: SkippedFile[] = [];
	const seen: InputFile[] = [];
	for (const file of files) {
		const image = await imageIn(file);
		const because = await reasonToSkip(image, seen);
		if (because === undefined) images.push(image);
		else skipped.push({ name: file[1].fileName ?? file[0], because });
	}
	return { images, skipped };
}

/** @param seen The files of earlier images, to which it adds this one's. */
async function reasonToSkip(
	{ part }: ItemImage,
	seen: InputFile[],
): Promise<SkippedFile['because'] | undefined> {
	if ('failure' in part) return part.failure.kind === 'not an image' ? 'not an image' : undefined;
	const { value: file } = part;
	if (typeof file !== 'object') return undefined;
	if (file.size < SMALLEST_IMAGE) return 'tracking pixel';
	const alike = seen.filter(({ size, start }) => size === file.size && start === file.start);
	for (const other of alike) if (await isSame(file, other)) return 'same image';
	seen.push(file);
	return undefined;
}

/** Reads two files to their ends. */
async function isSame(file: InputFile, other: InputFile): Promise<boolean> {
	const hashes = [await settle(sha256Of(file)), await settle(sha256Of(other))];
	// The request of a file that can't be read says why.
	const [one, two] = hashes.map((hash) => ('value' in hash ? hash.value : undefined));
	return one !== undefined && one === two;
}
