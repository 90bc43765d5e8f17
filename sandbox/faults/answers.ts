import { STATUS_CODES } from 'node:http';
import { answer, beforeCharge, head, html, json, redirect, type Fault } from './fault';

const err = 'A fault was armed for this request.';
const megabytes = (count: number) => 'x'.repeat(count * 1024 * 1024);

const proxyPage = (status: number) => {
	const title = `${status} ${STATUS_CODES[status] ?? 'Unknown'}`;
	return (
		`<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n` +
		`<center><h1>${title}</h1></center>\r\n<hr><center>proxy</center>\r\n</body>\r\n</html>\r\n`
	);
};

/** Faults that respond before anything is charged, to a call or a download. */
export const answers = {
	status: beforeCharge('returns `status` (500) with `body`, or with an `err` message', (s) =>
		json(s, s.rule.status ?? 500, s.rule.body ?? { err }),
	),
	'status-in-status': beforeCharge('returns `status` (400) with a `status` message', (s) =>
		json(s, s.rule.status ?? 400, { status: s.rule.body ?? err }),
	),
	'err-and-status': beforeCharge(
		'returns `status` (400) with both an `err` and a `status` message',
		(s) => json(s, s.rule.status ?? 400, { err, status: 'failed' }),
	),
	'err-object': beforeCharge(
		'returns `status` (400) with an `err` object that holds a `message`',
		(s) => json(s, s.rule.status ?? 400, { err: { message: err, code: 17 } }),
	),
	'error-text': beforeCharge('returns `status` (500) with plain text', (s) =>
		answer(s, s.rule.status ?? 500, err, { 'content-type': 'text/plain' }),
	),
	'error-html': beforeCharge('returns `status` (502) with the HTML page of a proxy', (s) => {
		const status = s.rule.status ?? 502;
		answer(s, status, proxyPage(status), { 'content-type': 'text/html' });
	}),
	'error-empty': beforeCharge('returns `status` (500) with an empty body', (s) =>
		answer(s, s.rule.status ?? 500, ''),
	),
	'error-huge': beforeCharge('returns `status` (500) with an `err` message of 5 MiB', (s) =>
		json(s, s.rule.status ?? 500, { err: megabytes(5) }),
	),
	'rate-limit': beforeCharge(
		'returns 429 with `Retry-After` (`retryAfter`, default 1; empty for no header)',
		(s) => {
			const retryAfter = s.rule.retryAfter ?? '1';
			const headers = retryAfter === '' ? {} : { 'retry-after': retryAfter };
			const body = JSON.stringify(s.rule.body ?? { err: 'Too many requests.' });
			answer(s, 429, body, { 'content-type': 'application/json', ...headers });
		},
	),
	'5xx-before': beforeCharge('returns `status` (503) with `err`, charges nothing', (s) =>
		json(s, s.rule.status ?? 503, s.rule.body ?? { err }),
	),
	redirect: beforeCharge(
		'redirects with `status` (302) to `location` (the same path with `?redirected=1`)',
		redirect,
	),
	'html-200': beforeCharge('returns 200 with a web page', (s) =>
		answer(s, 200, html, { 'content-type': 'text/html; charset=utf-8' }),
	),
	'empty-200': beforeCharge('returns 200 with an empty body', (s) => answer(s, 200, '')),
	'null-200': beforeCharge('returns 200 with `null`', (s) => json(s, 200, 'null')),
	'array-200': beforeCharge('returns 200 with `[]`', (s) => json(s, 200, [])),
	'string-200': beforeCharge('returns 200 with a JSON string', (s) => json(s, 200, '"done"')),
	'err-in-200': beforeCharge('returns 200 with an `err` message', (s) =>
		json(s, 200, s.rule.body ?? { err }),
	),
	'status-in-200': beforeCharge('returns 200 with a `status` message', (s) =>
		json(s, 200, s.rule.body ?? { status: err }),
	),
	'no-content': beforeCharge('returns 204', (s) => {
		head(s, 204, {}).raw.end();
	}),
} satisfies Record<string, Fault>;
