import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Upload } from '../types';
import { maxImageBytes } from './readForm';
import { quote, Refusal } from './refusal';

const timeoutMs = 30_000;

/**
 * Fetches an image from its URL (specification 2.2) to a file, following redirects.
 *
 * @throws Refusal 400 if the request fails, 413 if the image is too large
 */
export async function fetchImage(
	address: string,
	file: string,
	clientLeft: AbortSignal,
): Promise<Upload> {
	const limitSize = async function* (chunks: AsyncIterable<Uint8Array>) {
		let bytes = 0;
		for await (const chunk of chunks) {
			bytes += chunk.length;
			if (bytes > maxImageBytes) {
				throw new Refusal(413, `image: ${quote(address)} is larger than ${maxImageBytes} bytes.`);
			}
			yield chunk;
		}
	};
	const signal = AbortSignal.any([clientLeft, AbortSignal.timeout(timeoutMs)]);
	try {
		const response = await fetch(address, { signal });
		if (!response.ok || !response.body) {
			await response.body?.cancel();
			throw new Refusal(400, `image: ${quote(address)} returned HTTP ${response.status}.`);
		}
		await pipeline(response.body, limitSize, createWriteStream(file), { signal });
		return { file, name: address };
	} catch (error) {
		if (error instanceof Refusal) throw error;
		throw new Refusal(400, `image: ${quote(address)} could not be fetched (${reasonOf(error)}).`);
	}
}

/** The message of an error, or of its cause if it has one: fetch puts the reason there. */
function reasonOf(error: unknown): string {
	const { cause, message } = error as Error;
	return cause ? reasonOf(cause) : message;
}
