import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Upload } from '../http/form';
import { reasonOf } from '../http/reasonOf';
import { quote, Refusal } from '../http/refusal';
import type { Files } from './files';

const timeoutMs = 30_000;

/**
 * Fetches an image from its URL (specification 2.2), following redirects, within 30 seconds.
 *
 * @throws Refusal 400 if the request fails, 413 above `maxBytes`
 */
export async function fetchImage(
	address: string,
	store: Files,
	maxBytes: number,
	clientLeft: AbortSignal,
): Promise<Upload> {
	const file = store.newUploadPath();
	const signal = AbortSignal.any([clientLeft, AbortSignal.timeout(timeoutMs)]);
	try {
		const response = await fetch(address, { signal });
		if (!response.ok || !response.body) {
			await response.body?.cancel();
			throw new Refusal(400, `image: ${quote(address)} returned HTTP ${response.status}.`);
		}
		await pipeline(
			Readable.fromWeb(response.body),
			limitSize(maxBytes, address),
			createWriteStream(file),
			{ signal },
		);
		return { file, fileName: address };
	} catch (error) {
		await store.remove(file);
		if (error instanceof Refusal) throw error;
		throw new Refusal(400, `image: ${quote(address)} could not be fetched (${reasonOf(error)}).`);
	}
}

function limitSize(maxBytes: number, address: string): Transform {
	let bytes = 0;
	return new Transform({
		transform(chunk: Buffer, _encoding, done) {
			bytes += chunk.length;
			if (bytes <= maxBytes) done(null, chunk);
			else done(new Refusal(413, `image: ${quote(address)} is larger than ${maxBytes} bytes.`));
		},
	});
}
