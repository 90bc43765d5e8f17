import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Files } from './files';
import type { Upload } from './form';
import { reasonOf } from './reasonOf';
import { Refusal, shown } from './refusal';

const timeoutMs = 30_000;

/**
 * Loads an image from its address (specification 2.2), redirects included, within 30 seconds.
 *
 * @throws Refusal 400 when nothing comes from there, 413 above `maxBytes`
 */
export async function fetchImage(
	address: string,
	store: Files,
	maxBytes: number,
	left: AbortSignal,
): Promise<Upload> {
	const file = store.spool();
	const signal = AbortSignal.any([left, AbortSignal.timeout(timeoutMs)]);
	try {
		const response = await fetch(address, { signal });
		if (!response.ok || !response.body) {
			await response.body?.cancel();
			throw new Refusal(400, `image: ${shown(address)} answered HTTP ${response.status}.`);
		}
		await pipeline(
			Readable.fromWeb(response.body),
			atMost(maxBytes, address),
			createWriteStream(file),
			{ signal },
		);
		return { file, fileName: address };
	} catch (error) {
		await store.remove(file);
		if (error instanceof Refusal) throw error;
		throw new Refusal(400, `image: ${shown(address)} could not be loaded (${reasonOf(error)}).`);
	}
}

function atMost(maxBytes: number, address: string): Transform {
	let bytes = 0;
	return new Transform({
		transform(chunk: Buffer, _encoding, done) {
			bytes += chunk.length;
			if (bytes <= maxBytes) done(null, chunk);
			else done(new Refusal(413, `image: ${shown(address)} is larger than ${maxBytes} bytes.`));
		},
	});
}
