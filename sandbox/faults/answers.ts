import { STATUS_CODES } from 'node:http';
import { answer, beforeCharge, html, json, redirect, type Fault } from './fault';

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
	status: beforeCharge({
		description: 'returns `status` (500) with `body`, or with an `err` message',
		strike: (s) => json(s, s.rule.status ?? 500, s.rule.body ?? { err }),
	}),
	'status-in-status': beforeCharge({
		description: 'returns `status` (400) with a `status` message',
		strike: (s) => json(s, s.rule.status ?? 400, { status: s.rule.body ?? err }),
	}),
	'err-and-status': beforeCharge({
		description: 'returns `status` (400) with both an `err` and a `status` message',
		strike: (s) => json(s, s.rule.status ?? 400, { err, status: 'failed' }),
	}),
	'err-object': beforeCharge({
		description: 'returns `status` (400) with an `err` object that holds a `message`',
		strike: (s) => json(s, s.rule.status ?? 400, { err: { message: err, code: 17 } }),
	}),
	'error-text': beforeCharge({
		description: 'returns `status` (500) with plain text',
		strike: (s) => answer(s, s.rule.status ?? 500, err, { 'content-type': 'text/plain' }),
	}),
	'error-html': beforeCharge({
		description: 'returns `status` (502) with the HTML page of a proxy',
		strike: (s) => {
			const status = s.rule.status ?? 502;
			answer(s, status, proxyPage(status), { 'content-type': 'text/html' });
		},
	}),
	'error-empty': beforeCharge({
		description: 'returns `status` (500) with an empty body',
		strike: (s) => answer(s, s.rule.status ?? 500, ''),
	}),
	'error-huge': beforeCharge({
		description: 'returns `status` (500) with an `err` message of 5 MiB',
		strike: (s) => json(s, s.rule.status ?? 500, { err: megabytes(5) }),
	}),
	'rate-limit': beforeCharge({
		description: 'returns 429 with `Retry-After` (`retryAfter`, default 1; empty for no header)',
		strike: (s) => {
			const retryAfter = s.rule.retryAfter ?? '1';
			const headers = retryAfter === '' ? {} : { 'retry-after': retryAfter };
			const body = JSON.stringify(s.rule.body ?? { err: 'Too many requests.' });
			answer(s, 429, body, { 'content-type': 'application/json', ...headers });
		},
	}),
	'5xx-before': beforeCharge({
		description: 'returns `status` (503) with `err`, charges nothing',
		strike: (s) => json(s, s.rule.status ?? 503, s.rule.body ?? { err }),
	}),
	redirect: beforeCharge({
		description: 'redirects with `status` (302) to `location` (the same path with `?redirected=1`)',
		strike: redirect,
	}),
	'html-200': beforeCharge({
		description: 'returns 200 with a web page',
		strike: (s) => answer(s, 200, html, { 'content-type': 'text/html; charset=utf-8' }),
	}),
	'empty-200': beforeCharge({
		description: 'returns 200 with an empty body',
		strike: (s) => answer(s, 200, ''),
	}),
	'null-200': beforeCharge({
		description: 'returns 200 with `null`',
		strike: (s) => json(s, 200, 'null'),
	}),
	'array-200': beforeCharge({
		description: 'returns 200 with `[]`',
		strike: (s) => json(s, 200, []),
	}),
	'string-200': beforeCharge({
		description: 'returns 200 with a JSON string',
		strike: (s) => json(s, 200, '"done"'),
	}),
	'err-in-200': beforeCharge({
		description: 'returns 200 with an `err` message',
		strike: (s) => json(s, 200, s.rule.body ?? { err }),
	}),
	'status-in-200': beforeCharge({
		description: 'returns 200 with a `status` message',
		strike: (s) => json(s, 200, s.rule.body ?? { status: err }),
	}),
	'no-content': beforeCharge({
		description: 'returns 204',
		strike: (s) => {
			s.reply.hijack();
			s.reply.raw.writeHead(204).end();
			s.answered();
		},
	}),
} satisfies Record<string, Fault>;
