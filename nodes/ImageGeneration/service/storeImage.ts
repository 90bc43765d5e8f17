import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { Failed } from '../failures/failures';
import { settle } from '../failures/outcome';
import { CheckedImage, MAX_IMAGE_BYTES } from '../images/checkedImage';
import { safeFileName, withExtension } from '../images/fileName';
import { extensionOf, HEAD_BYTES, imageType } from '../images/imageType';
import { peek, readText, type Readable } from '../images/readable';
import { Deadline } from './deadline';
import { serviceMessage } from './response';
import type { Service } from './service';
import { orAborted } from './wait';

/** The most that is read of a message, in bytes. */
export const MAX_MESSAGE_BYTES = 64 * 1024;
/** Time limit for a message returned instead of an image, in seconds. */
const MESSAGE_TIMEOUT = 5;

/** A response that should be an image. */
export interface ImageResponse {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: Readable;
}

/**
 * Streams an image into n8n's storage, and checks that it is one and is complete.
 * @param fileName The extension is set from the image's actual type.
 * @throws Failed with a DownloadFailure, or what the connection throws.
 */
export async function storeImage(
	context: IExecuteFunctions,
	service: Service,
	fileName: string,
	{ headers, body }: ImageResponse,
): Promise<IBinaryData> {
	const claimed = service.hideKey(headers['content-type'] ?? '');
	const length = Number(headers['content-length'] ?? NaN);
	if (length > MAX_IMAGE_BYTES) throw new Failed({ kind: 'download', reason: 'too large' });
	const head = await peek(body, HEAD_BYTES);
	if (head.length === 0) throw new Failed({ kind: 'download', reason: 'empty' });
	const type = imageType(head, claimed);
	if (type === undefined) {
		const said = body.readableEnded
			? serviceMessage(service.hideKey(head.toString('utf8')))
			: await messageIn(body, service);
		const reason = 'not an image';
		throw new Failed({ kind: 'download', reason, claimed, serviceMessage: said });
	}
	const name = withExtension(safeFileName(fileName), extensionOf(type));
	const image = new CheckedImage(body, { type, head, length });
	const stored = await settle(context.helpers.prepareBinaryData(image.toStream(), name, type));
	if ('value' in stored) return stored.value;
	if (image.failure !== undefined) throw image.failure;
	const { message } = new Failed(stored.failure);
	throw new Failed({ kind: 'download', reason: 'not stored', message });
}

/** The service's message in a response; undefined if it is too long, too slow or incomplete. */
export async function messageIn(body: Readable, { hideKey }: Service): Promise<string | undefined> {
	const deadline = new Deadline(MESSAGE_TIMEOUT);
	const read = await settle(orAborted(readText(body, MAX_MESSAGE_BYTES), deadline.signal));
	deadline.end();
	const isWhole = 'value' in read && read.value.incomplete === undefined;
	return isWhole ? serviceMessage(hideKey(read.value.text)) : undefined;
}
