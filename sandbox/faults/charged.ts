import {
	close,
	cutAfter,
	delay,
	hang,
	head,
	json,
	reset,
	type Fault,
	type JobResult,
} from './fault';

const err = 'A fault was armed for this request, after it was charged.';

/** A 200 whose body is made from the job result. */
function result(words: string, body: (job: JobResult) => unknown): Fault {
	return {
		target: 'tool',
		moment: 'after',
		words: `charged; ${words}`,
		strike: (s) => json(s, 200, s.rule.body ?? body(s.job)),
	};
}

/** Faults of a call that was charged: it stands in the ledger and its file exists. */
export const charged = {
	'reset-after': {
		target: 'tool',
		moment: 'after',
		words: 'charged, then reset',
		strike: reset,
	},
	'close-after': {
		target: 'tool',
		moment: 'after',
		words: 'charged, then closed politely without an answer',
		strike: close,
	},
	'timeout-after': {
		target: 'tool',
		moment: 'after',
		words: 'charged, then never answers',
		strike: hang,
	},
	'delay-after': {
		target: 'tool',
		moment: 'after',
		words: 'charged, waits `delayMs` (1000), then answers as usual',
		strike: delay,
	},
	'5xx-after': {
		target: 'tool',
		moment: 'after',
		words: 'charged, then `status` (500) with `err`',
		strike: (s) => json(s, s.rule.status ?? 500, s.rule.body ?? { err }),
	},
	'created-201': {
		target: 'tool',
		moment: 'after',
		words: 'charged, the job result with `status` (201) in place of 200',
		strike: (s) => json(s, s.rule.status ?? 201, s.job),
	},
	'no-output-url': result('no `output_url`', ({ id }) => ({ id })),
	'no-id': result('no `id`', ({ output_url }) => ({ output_url })),
	'number-id': result('`id` is a number', (job) => ({ ...job, id: 42 })),
	'null-output-url': result('`output_url` is null', (job) => ({ ...job, output_url: null })),
	'relative-output-url': result('`output_url` is a path without a host', (job) => ({
		...job,
		output_url: new URL(job.output_url).pathname,
	})),
	'gone-output-url': result('`output_url` leads to a file that does not exist', (job) => ({
		...job,
		output_url: job.output_url.replace(job.id, 'gone'),
	})),
	'extra-fields': result('the job result has further fields', (job) => ({
		...job,
		backend_request_id: 'b7f1',
		usage: { generations: 1 },
		tags: ['a', 'b'],
	})),
	'huge-json-200': result('5 MiB of JSON', (job) => ({
		...job,
		padding: 'x'.repeat(5 * 1024 * 1024),
	})),
	'bad-output-url': {
		target: 'tool',
		moment: 'after',
		words: 'charged; `output_url` is `location` (`file:///etc/passwd`)',
		strike: (s) => json(s, 200, { ...s.job, output_url: s.rule.location ?? 'file:///etc/passwd' }),
	},
	'other-host-output-url': {
		target: 'tool',
		moment: 'after',
		words: 'charged; `output_url` is on `location` (localhost for 127.0.0.1 and the reverse)',
		strike: (s) => json(s, 200, { ...s.job, output_url: onOtherHost(s.job, s.rule.location) }),
	},
	'truncated-json': {
		target: 'tool',
		moment: 'after',
		words: 'charged; the JSON breaks off, the answer does not',
		strike: (s) => json(s, 200, JSON.stringify(s.job).slice(0, -20)),
	},
	'cut-json': {
		target: 'tool',
		moment: 'after',
		words: 'charged; the connection is cut in the middle of the JSON',
		strike: (s) => {
			const body = Buffer.from(JSON.stringify(s.job));
			const length = `${body.length}`;
			head(s, 200, { 'content-type': 'application/json', 'content-length': length });
			cutAfter(s, body.subarray(0, s.rule.bytes ?? 10));
		},
	},
	'stall-json': {
		target: 'tool',
		moment: 'after',
		words: 'charged; the head of a 200 comes, its body never does',
		strike: async (s) => {
			head(s, 200, { 'content-type': 'application/json', 'content-length': '100' });
			await hang(s);
		},
	},
	'result-as-text': {
		target: 'tool',
		moment: 'after',
		words: 'charged; the job result under `contentType` (`text/plain`)',
		strike: (s) => {
			const rule = { contentType: 'text/plain', ...s.rule };
			json({ ...s, rule }, 200, s.job);
		},
	},
} satisfies Record<string, Fault>;

function onOtherHost(job: JobResult, location: string | undefined): string {
	const url = new URL(job.output_url);
	if (location !== undefined) return new URL(url.pathname, location).href;
	url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
	return url.href;
}
