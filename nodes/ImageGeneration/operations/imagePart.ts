import type { GivenImage } from '../fields/image';
import type { JobRequest } from '../types';

/** The image as the file part or, given by its address, as the text part `image` (section 2.2). */
export function imagePart(
	image: GivenImage,
	fields: Record<string, string>,
): Pick<JobRequest, 'fields' | 'image'> {
	if ('file' in image) return { fields, image: image.file };
	return { fields: { image: image.address, ...fields } };
}
