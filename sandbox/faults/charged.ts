import {
	afterCharge,
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

/** A fault that charges and returns 200 with a body made from the job result. */
function result(description: string, body: (job: JobResult) => unknown): Fault {
	return afterCharge(`charges; ${description}`, (s) => json(s, 200, s.rule.body ?? body(s.job)));
}

/** Faults after the charge: the call is in the ledger and its file exists. */
export const charged = {
	'reset-after': afterCharge('charges, then resets the connection', reset),
	'close-after': afterCharge(
		'charges, then closes the connection cleanly without a response',
		close,
	),
	'timeout-after': afterCharge('charges, then never responds', hang),
	'delay-after': afterCharge('charges, waits `delayMs` (1000), then responds normally', delay),
	'5xx-after': afterCharge('charges, then returns `status` (500) with `err`', (s) =>
		json(s, s.rule.status ?? 500, s.rule.body ?? { err }),
	),
	'created-201': afterCharge(
		'charges, then returns the job result with `status` (201) instead of 200',
		(s) => json(s, s.rule.status ?? 201, s.job),
	),
	'no-output-url': result('the job result has no `output_url`', ({ id }) => ({ id })),
	'no-id': result('the job result has no `id`', ({ output_url }) => ({ output_url })),
	'number-id': result('`id` is a number', (job) => ({ ...job, id: 42 })),
	'null-output-url': result('`output_url` is null', (job) => ({ ...job, output_url: null })),
	'relative-output-url': result('`output_url` is a path without a host', (job) => ({
		...job,
		output_url: new URL(job.output_url).pathname,
	})),
	'gone-output-url': result('`output_url` points to a file that does not exist', (job) => ({
		...job,
		output_url: job.output_url.replace(job.id, 'gone'),
	})),
	'extra-fields': result('the job result has extra fields', (job) => ({
		...job,
		backend_request_id: 'b7f1',
		usage: { generations: 1 },
		tags: ['a', 'b'],
	})),
	'huge-json-200': result('the job result is 5 MiB of JSON', (job) => ({
		...job,
		padding: 'x'.repeat(5 * 1024 * 1024),
	})),
	'bad-output-url': afterCharge('charges; `output_url` is `location` (`file:///etc/passwd`)', (s) =>
		json(s, 200, { ...s.job, output_url: s.rule.location ?? 'file:///etc/passwd' }),
	),
	'other-host-output-url': afterCharge(
		'charges; `output_url` is on `location` (localhost for 127.0.0.1 and vice versa)',
		(s) => json(s, 200, { ...s.job, output_url: onOtherHost(s.job, s.rule.location) }),
	),
	'truncated-json': afterCharge(
		'charges, then sends a complete response with truncated JSON',
		(s) => json(s, 200, JSON.stringify(s.job).slice(0, -20)),
	),
	'cut-json': afterCharge('charges, then cuts the connection in the middle of the JSON', (s) => {
		const body = Buffer.from(JSON.stringify(s.job));
		const length = `${body.length}`;
		head(s, 200, { 'content-type': 'application/json', 'content-length': length });
		cutAfter(s, body.subarray(0, s.rule.bytes ?? 10));
	}),
	'stall-json': afterCharge(
		'charges, then sends the headers of a 200 but never its body',
		async (s) => {
			head(s, 200, { 'content-type': 'application/json', 'content-length': '100' });
			await hang(s);
		},
	),
	'result-as-text': afterCharge(
		'charges, then returns the job result as `contentType` (`text/plain`)',
		(s) => {
			const rule = { contentType: 'text/plain', ...s.rule };
			json({ ...s, rule }, 200, s.job);
		},
	),
} satisfies Record<string, Fault>;

function onOtherHost(job: JobResult, location: string | undefined): string {
	const url = new URL(job.output_url);
	if (location !== undefined) return new URL(url.pathname, location).href;
	url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
	return url.href;
}
