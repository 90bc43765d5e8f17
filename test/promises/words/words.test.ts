import type { Failure } from '../../../nodes/ImageGeneration/failures/failures';
import { messageFor } from '../../../nodes/ImageGeneration/report/messages';

const JOB = { id: 'job-1', output_url: 'https://example.com/1.jpg' };
const message = 'the reason';
const limit = {
	kind: 'limit reached',
	max: 50,
	bought: 49,
	planned: 0,
	needed: 2,
	isNothingSent: true,
	isTool: false,
} as const;
const full = { ...limit, bought: 50 } as const;
const unexpected = { kind: 'unexpected response', returned: 'a list', status: 200 } as const;
const refusal: Failure = { kind: 'rejection', status: 429, serviceMessage: 'Slow down' };

/** Every failure by what happened, in the order in which a run meets them. */
const FAILURES: Record<string, Failure> = {
	'no connection': { kind: 'unreachable', message },
	'no secure connection': { kind: 'insecure', message },
	'blocked by n8n': { kind: 'blocked', message },
	'Max Images': { ...limit, per: 'execution' },
	'Max Images, nothing bought so far': { ...limit, per: 'execution', bought: 0, needed: 51 },
	'Max Images per Day': { ...full, per: 'day', freeIn: 7_200_000 },
	'Max Images per Day, beside other runs': { ...limit, per: 'day', bought: 40, planned: 9 },
	'Max Images per Day, with Continue': { ...full, per: 'day', needed: 1, isNothingSent: false },
	'Max Images per Day, for an agent': { ...full, per: 'day', freeIn: 7_200_000, isTool: true },
	'Max Images, for an agent': { ...full, per: 'execution', isTool: true },
	'Max Images, for an agent that asks for too many': { ...limit, per: 'execution', isTool: true },
	'not started': { kind: 'not started' },
	'stopped while the image is made': { kind: 'awaited' },
	'no answer in time': { kind: 'timeout', message },
	'connection closed': { kind: 'interrupted', message },
	...Object.fromEntries(
		[302, 307, 400, 401, 402, 403, 404, 408, 413, 415, 429, 500].map((status) => [
			`status ${status}`,
			{ kind: 'rejection', status, serviceMessage: "The service's words" },
		]),
	),
	'status 500 without words': { kind: 'rejection', status: 500 },
	'status 302 to an address': { kind: 'rejection', status: 302, location: 'https://a.example' },
	'a rejection that names a job': { kind: 'rejection', status: 500, job: JOB },
	'429 for too long': { kind: 'rate limited', refusal, asked: undefined, patience: 600_000 },
	'429, and a long wait': { kind: 'rate limited', refusal, asked: 7_200_000, patience: 600_000 },
	'a page with status 403': { kind: 'intercepted', status: 403, returned: 'a web page' },
	'a page with status 413': { kind: 'intercepted', status: 413, returned: 'a web page' },
	'a page with status 502': { kind: 'intercepted', status: 502, returned: 'a web page' },
	'no job result': { ...unexpected, links: ['https://example.com/a'], excerpt: '["a"]' },
	'no job result, in words': { ...unexpected, serviceMessage: "The service's words" },
	'no job result, but an id': { ...unexpected, job: { id: 'job-1' } },
	'image on another host': {
		kind: 'download',
		reason: 'other host',
		origin: 'https://cdn.example',
	},
	'image gone': { kind: 'download', reason: 'gone', status: 404 },
	'image gone, in words': {
		kind: 'download',
		reason: 'gone',
		status: 410,
		serviceMessage: "The service's words",
	},
	...Object.fromEntries(
		[204, 403, 408, 429, 500].map((status) => [
			`image with status ${status}`,
			{ kind: 'download', reason: 'status', status },
		]),
	),
	'image that is a page': { kind: 'download', reason: 'not an image', claimed: 'text/html' },
	'image of no bytes': { kind: 'download', reason: 'empty' },
	'image too large': { kind: 'download', reason: 'too large' },
	'image cut off': { kind: 'download', reason: 'interrupted', message },
	'image too slow': { kind: 'download', reason: 'timeout' },
	'image blocked by n8n': { kind: 'download', reason: 'blocked', message },
	'image not stored': { kind: 'download', reason: 'not stored', message },
	'image in a circle of redirects': { kind: 'download', reason: 'redirect loop' },
	'image behind a redirect to nowhere': { kind: 'download', reason: 'bad redirect' },
};

/** A page of the snapshot: each text under what happened. */
const pageOf = (entries: Record<string, readonly string[]>) =>
	Object.entries(entries)
		.map(([what, lines]) => [`# ${what}`, ...lines].join('\n').trim())
		.join('\n\n');

// Other tests look for facts, so that a better wording changes only this page.
it('says of each failure what happened, then what to do', () => {
	const texts = Object.entries(FAILURES).map(([what, failure]) => {
		const { title, advice } = messageFor(failure);
		return [what, [title, advice]] as const;
	});

	expect(pageOf(Object.fromEntries(texts))).toMatchSnapshot();
});

it.each(['Prompt exceeds the token limit of 77', 'Upgrade your browser', 'Out of API credits'])(
	'advice does not depend on the service’s words, which come first: "%s"',
	(serviceMessage) => {
		for (const status of [302, 400, 401, 402, 403, 404, 413, 422, 500]) {
			const { advice } = messageFor({ kind: 'rejection', status });

			expect(messageFor({ kind: 'rejection', status, serviceMessage })).toMatchObject({
				title: serviceMessage,
				advice,
			});
		}
	},
);
