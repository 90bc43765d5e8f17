import { gzipSync } from 'node:zlib';
import { answer, cutAfter, hang, head, html, json, pause, redirect, reset } from './fault';
import type { Fault, Strike } from './fault';

const of = (description: string, strike: Fault['strike']): Fault => ({
	target: 'download',
	moment: 'before',
	description,
	strike,
});

/** Sends the file with a content type. */
const sendAs = (s: Strike, type: string, headers: Record<string, string> = {}) =>
	answer(s, 200, bytesOf(s), { 'content-type': s.rule.contentType ?? type, ...headers });

/** Sends headers that announce the whole file. */
const announceFile = (s: Strike) =>
	head(s, 200, { 'content-type': mime(s), 'content-length': `${bytesOf(s).length}` });

/** Faults of `GET /job-view-file/…`. */
export const download = {
	'download-404': of('returns 404 with `err`', (s) =>
		json(s, 404, s.rule.body ?? { err: 'This file is gone.' }),
	),
	'download-500': of('returns `status` (500) with `err`', (s) =>
		json(s, s.rule.status ?? 500, s.rule.body ?? { err: 'Storage is down.' }),
	),
	'download-rate-limit': of('returns 429 with `Retry-After` (`retryAfter`, default 1)', (s) =>
		answer(s, 429, '', { 'retry-after': s.rule.retryAfter ?? '1' }),
	),
	truncated: of('announces the full length, sends half of it (or `bytes`), then closes', (s) => {
		const bytes = bytesOf(s);
		announceFile(s);
		cutAfter(s, bytes.subarray(0, s.rule.bytes ?? bytes.length >> 1));
	}),
	'reset-mid': of('sends chunks, then resets the connection after `bytes` (100)', (s) => {
		const { raw } = head(s, 200, { 'content-type': mime(s) });
		raw.write(bytesOf(s).subarray(0, s.rule.bytes ?? 100), () => {
			// Without the delay the reset overtakes the bytes on their way to the client.
			setTimeout(() => reset(s), 20).unref();
		});
	}),
	empty: of('returns 200 with an image type and no bytes', (s) =>
		answer(s, 200, '', { 'content-type': mime(s) }),
	),
	html: of('returns 200 with a web page', (s) =>
		answer(s, 200, html, { 'content-type': 'text/html; charset=utf-8' }),
	),
	'json-200': of('returns 200 with an `err` message', (s) =>
		json(s, 200, { err: 'This file has expired.' }),
	),
	'wrong-type': of('returns the image as `contentType` (`text/plain`)', (s) =>
		sendAs(s, 'text/plain'),
	),
	'no-type': of('returns the image without a content type', (s) => answer(s, 200, bytesOf(s))),
	'octet-stream': of('returns the image as `application/octet-stream`', (s) =>
		sendAs(s, 'application/octet-stream'),
	),
	'type-with-parameters': of('returns the image, its type in capitals and with a parameter', (s) =>
		sendAs(s, `${mime(s).toUpperCase()}; charset=binary`),
	),
	'text-as-png': of('returns text that claims to be `image/png`', (s) =>
		answer(s, 200, 'not an image', { 'content-type': 'image/png' }),
	),
	'bad-file-name': of(
		'returns the image with a `Content-Disposition` that names `../../evil.sh`',
		(s) => {
			const disposition = 'attachment; filename="../../evil.sh"';
			sendAs(s, mime(s), { 'content-disposition': disposition });
		},
	),
	chunked: of('returns the image in chunks, without a length', (s) => {
		const bytes = bytesOf(s);
		const { raw } = head(s, 200, { 'content-type': mime(s) });
		raw.write(bytes.subarray(0, bytes.length >> 1));
		raw.end(bytes.subarray(bytes.length >> 1));
	}),
	'slow-drip': of(
		'sends the image in ten pieces, waiting `delayMs` (50) before each',
		async (s) => {
			const bytes = bytesOf(s);
			const { raw } = announceFile(s);
			const piece = Math.ceil(bytes.length / 10);
			for (let start = 0; start < bytes.length && !s.signal.aborted; start += piece) {
				await pause(s, s.rule.delayMs ?? 50);
				raw.write(bytes.subarray(start, start + piece));
			}
			raw.end();
		},
	),
	'late-body': of('sends the headers, waits `delayMs` (50), then sends the image', async (s) => {
		const { raw } = announceFile(s);
		await pause(s, s.rule.delayMs ?? 50);
		raw.end(bytesOf(s));
	}),
	gzip: of('returns the image compressed, with `Content-Encoding: gzip`', (s) => {
		const headers = { 'content-type': mime(s), 'content-encoding': 'gzip' };
		answer(s, 200, gzipSync(bytesOf(s)), headers);
	}),
	'download-redirect': of(
		'redirects with `status` (302) to `location` (the same file with `?redirected=1`)',
		redirect,
	),
	'redirect-loop': {
		...of('redirects to itself with 302, endlessly', (s) =>
			answer(s, 302, '', { location: `${s.base}${s.request.url}` }),
		),
		times: Infinity,
	},
	'download-hang': of('never responds', hang),
	'download-stall': of('sends `bytes` (100), then nothing more', async (s) => {
		announceFile(s).raw.write(bytesOf(s).subarray(0, s.rule.bytes ?? 100));
		await hang(s);
	}),
	'download-refuse': of('resets the connection without a response', reset),
} satisfies Record<string, Fault>;

function bytesOf({ output }: Strike): Buffer {
	return output?.bytes ?? Buffer.alloc(0);
}

function mime({ output, rule }: Strike): string {
	return rule.contentType ?? output?.mimeType ?? 'image/jpeg';
}
