import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Upload } from '../http/form';
import { quote, Refusal } from '../http/refusal';

const timeoutMs = 30_000;

const reasons: readonly [RegExp, string][] = [
	[/ECONNREFUSED/, 'nothing listens there'],
	[/ENOTFOUND|EAI_AGAIN/, 'there is no such host'],
	[/timeout/i, `no answer within ${timeoutMs / 1000} seconds`],
	[/bad port/, 'web clients do not use this port'],
	[/redirect|scheme/, 'its redirects lead nowhere'],
];

/**
 * Fetches an image from its URL (specification 2.2) to a file, following redirects, within 30
 * seconds.
 *
 * @throws Refusal 400 if the request fails, 413 above `maxBytes`
 */
export async function fetchImage(
	address: string,
	file: string,
	maxBytes: number,
	clientLeft: AbortSignal,
): Promise<Upload> {
	const limitSize = async function* (chunks: AsyncIterable<Uint8Array>) {
		let bytes = 0;
		for await (const chunk of chunks) {
			bytes += chunk.length;
			if (bytes > maxBytes) {
				throw new Refusal(413, `image: ${quote(address)} is larger than ${maxBytes} bytes.`);
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
		return { file, fileName: address };
	} catch (error) {
		if (error instanceof Refusal) throw error;
		throw new Refusal(400, `image: ${quote(address)} could not be fetched (${wording(error)}).`);
	}
}

/** Says why a request failed, in plain words instead of those of Node's client. */
function wording(error: unknown): string {
	const outer = error as { cause?: unknown; code?: string; message?: string };
	const { code = '', message = '' } = (outer.cause ?? outer) as typeof outer;
	const known = reasons.find(([pattern]) => pattern.test(`${code} ${message}`));
	return known?.[1] ?? 'the connection broke off';
}
