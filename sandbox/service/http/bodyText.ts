import { TextDecoder } from 'node:util';

/** Returns a decoder for a charset, UTF-8 by default; undefined if it is unknown. */
export function decoderOf(charset = 'utf-8'): TextDecoder | undefined {
	try {
		return new TextDecoder(charset);
	} catch {
		return undefined;
	}
}

/** Reads `name=value&…`, percent-encoded in the decoder's charset. */
export function decodeUrlEncoded(body: Buffer, decoder: TextDecoder): URLSearchParams {
	const inUtf8 = body.toString('latin1').replace(/[^&=+]+/g, (run) => {
		const bytes = run.replace(/%([\da-f]{2})/gi, (_, hex) =>
			String.fromCharCode(Number(`0x${hex}`)),
		);
		return encodeURIComponent(decoder.decode(Buffer.from(bytes, 'latin1')));
	});
	return new URLSearchParams(inUtf8);
}
