import { gzipSync } from 'node:zlib';
import { answer, cutAfter, hang, head, html, json, pause, redirect, reset } from './fault';
import type { Fault, Strike } from './fault';

type DownloadFault = Omit<Fault, 'target' | 'moment'>;

const of = (fault: DownloadFault): Fault => ({ target: 'download', moment: 'before', ...fault });

/** The file under another content type. */
const typed = (s: Strike, type: string) =>
	answer(s, 200, bytesOf(s), { 'content-type': s.rule.contentType ?? type });

/** Starts an answer that promises the whole file. */
const promised = (s: Strike) =>
	head(s, 200, { 'content-type': mime(s), 'content-length': `${bytesOf(s).length}` });

/** Faults of `GET /job-view-file/…`. */
export const download = {
	'download-404': of({
		words: '404 with `err`',
		strike: (s) => json(s, 404, s.rule.body ?? { err: 'This file is gone.' }),
	}),
	'download-500': of({
		words: '`status` (500) with `err`',
		strike: (s) => json(s, s.rule.status ?? 500, s.rule.body ?? { err: 'Storage is down.' }),
	}),
	'download-rate-limit': of({
		words: '429 with `Retry-After` (`retryAfter`, default 1)',
		strike: (s) => answer(s, 429, '', { 'retry-after': s.rule.retryAfter ?? '1' }),
	}),
	truncated: of({
		words: 'the whole length is promised, half of it (`bytes`) is sent, then the end',
		strike: (s) => {
			const bytes = bytesOf(s);
			promised(s);
			cutAfter(s, bytes.subarray(0, s.rule.bytes ?? bytes.length >> 1));
		},
	}),
	'reset-mid': of({
		words: 'chunked, reset after `bytes` (100)',
		strike: (s) => {
			const { raw } = head(s, 200, { 'content-type': mime(s) });
			raw.write(bytesOf(s).subarray(0, s.rule.bytes ?? 100), () => {
				// A tick later, or the reset overtakes the bytes on their way to the client.
				setTimeout(() => reset(s), 20).unref();
			});
		},
	}),
	empty: of({
		words: '200, an image type, no bytes',
		strike: (s) => answer(s, 200, '', { 'content-type': mime(s) }),
	}),
	html: of({
		words: '200 with a web page',
		strike: (s) => answer(s, 200, html, { 'content-type': 'text/html; charset=utf-8' }),
	}),
	'json-200': of({
		words: '200 with an `err` message',
		strike: (s) => json(s, 200, { err: 'This file has expired.' }),
	}),
	'wrong-type': of({
		words: 'the image under `contentType` (`text/plain`)',
		strike: (s) => typed(s, 'text/plain'),
	}),
	'no-type': of({
		words: 'the image without a content type',
		strike: (s) => answer(s, 200, bytesOf(s)),
	}),
	'octet-stream': of({
		words: 'the image as `application/octet-stream`',
		strike: (s) => typed(s, 'application/octet-stream'),
	}),
	'type-with-parameters': of({
		words: 'the type in capitals and with a parameter',
		strike: (s) => typed(s, `${mime(s).toUpperCase()}; charset=binary`),
	}),
	'text-as-png': of({
		words: 'text that claims to be `image/png`',
		strike: (s) => answer(s, 200, 'no image at all', { 'content-type': 'image/png' }),
	}),
	'bad-file-name': of({
		words: 'the image with a `Content-Disposition` that names `../../evil.sh`',
		strike: (s) =>
			answer(s, 200, bytesOf(s), {
				'content-type': mime(s),
				'content-disposition': 'attachment; filename="../../evil.sh"',
			}),
	}),
	chunked: of({
		words: 'the image without a length, in chunks',
		strike: (s) => {
			const bytes = bytesOf(s);
			const { raw } = head(s, 200, { 'content-type': mime(s) });
			raw.write(bytes.subarray(0, bytes.length >> 1));
			raw.end(bytes.subarray(bytes.length >> 1));
		},
	}),
	'slow-drip': of({
		words: 'the image in ten pieces, `delayMs` (50) before each',
		strike: async (s) => {
			const bytes = bytesOf(s);
			const { raw } = promised(s);
			const piece = Math.ceil(bytes.length / 10);
			for (let start = 0; start < bytes.length && !s.left.aborted; start += piece) {
				await pause(s, s.rule.delayMs ?? 50);
				raw.write(bytes.subarray(start, start + piece));
			}
			raw.end();
		},
	}),
	'late-body': of({
		words: 'the headers, and after `delayMs` (50) the whole image at once',
		strike: async (s) => {
			const { raw } = promised(s);
			await pause(s, s.rule.delayMs ?? 50);
			raw.end(bytesOf(s));
		},
	}),
	gzip: of({
		words: 'the image with `Content-Encoding: gzip`, properly packed',
		strike: (s) =>
			answer(s, 200, gzipSync(bytesOf(s)), {
				'content-type': mime(s),
				'content-encoding': 'gzip',
			}),
	}),
	'download-redirect': of({
		words: '`status` (302) to `location` (the same file with `?redirected=1`)',
		strike: redirect,
	}),
	'redirect-loop': of({
		words: '302 to itself, again and again',
		times: Infinity,
		strike: (s) => answer(s, 302, '', { location: `${s.base}${s.request.url}` }),
	}),
	'download-hang': of({ words: 'never answers', strike: hang }),
	'download-stall': of({
		words: 'sends `bytes` (100), then nothing more',
		strike: async (s) => {
			promised(s).raw.write(bytesOf(s).subarray(0, s.rule.bytes ?? 100));
			await hang(s);
		},
	}),
	'download-refuse': of({ words: 'reset without an answer', strike: reset }),
} satisfies Record<string, Fault>;

function bytesOf({ output }: Strike): Buffer {
	return output?.bytes ?? Buffer.alloc(0);
}

function mime({ output, rule }: Strike): string {
	return rule.contentType ?? output?.mimeType ?? 'image/jpeg';
}
