import type { DownloadFailure, Failure } from '../../nodes/ImageGeneration/failures/failures';
import { messageFor } from '../../nodes/ImageGeneration/report/messages';

const JOB = { id: 'an-id', output_url: 'https://example.com/a.jpg' };
const MAYBE = 'You may have been charged. Check your account before you run this item again.';
const TROUBLE = `The service is having trouble. ${MAYBE}`;
const ACCOUNT = 'Check the allowance and the wallet of your account.';
const SUBSCRIBE = 'Subscribe, or use another key.';
const NO_ACCESS = `The key has no API access, which requires a paid subscription. ${SUBSCRIBE}`;
const CONTENT = 'Change the prompt or the picture.';
const KEY = "The service does not accept the key. Check 'API Key' in the credential.";
const BLOCKED = 'The service blocks your address or account. Ask it why.';
const CHARGED = 'You may have been charged.';
const NOT_CHARGED = 'Nothing was charged for this request.';
const PAID = 'The image is finished and paid for. ';
const refusal = (status: number): Failure => ({ kind: 'rejection', status });

describe('a failure’s message', () => {
	it.each([
		['insecure', '(why)', 'Nothing was sent. Check '],
		['blocked', '(why)', 'Nothing was sent. Ask '],
		['no credential', '(why)', 'Nothing was sent. Check '],
		['unreachable', '(why)', `${NOT_CHARGED} Check `],
		['interrupted', '(why)', MAYBE],
		['timeout', "'Timeout'", MAYBE],
	] as const)('says why, and whether it cost anything: %s', (kind, why, cost) => {
		const { title, advice } = messageFor({ kind, message: 'why' });

		expect(title).toMatch(new RegExp(`${why.replace(/[()]/g, '\\$&')}$`));
		expect(advice.startsWith(cost)).toBe(true);
	});

	it.each([
		[
			302,
			"The service redirects to another address. If that address is the service's, set 'Base URL'",
		],
		[400, 'The service rejected the request. Check the fields of this item.'],
		[401, "The service does not accept the key. Check 'API Key' in the credential."],
		[402, 'Your allowance and wallet are used up'],
		[403, 'The key has no API access, which requires a paid subscription.'],
		[404, 'The service does not have this tool.'],
		[408, MAYBE],
		[413, 'The image is too large'],
		[415, 'The service does not accept this type of file'],
		[500, TROUBLE],
		[599, TROUBLE],
	])('has the service’s words first, then the advice for status %d', (status, advice) => {
		const message = messageFor({ ...refusal(status), serviceMessage: 'Words' });

		expect(message.title).toBe('Words');
		expect(message.advice.startsWith(advice)).toBe(true);
		expect(messageFor(refusal(status)).title).toContain(`status ${status} and no message`);
	});

	it.each([
		// As the real service words it.
		[401, 'Out of API credits', [ACCOUNT, KEY]],
		[401, 'Your quota is exceeded. See https://example.com/api-key', [ACCOUNT, KEY]],
		[402, 'Top up your wallet', [ACCOUNT]],
		[403, 'This key has no subscription', [SUBSCRIBE]],
		[403, 'Rejected by the content policy', [CONTENT, NO_ACCESS]],
		[400, 'NSFW content', [CONTENT]],
		[400, 'Failed our safety check', [CONTENT]],
		[422, 'Invalid api_key', [KEY]],
		[401, 'Invalid token', [KEY]],
		[403, 'Invalid API key', [KEY, NO_ACCESS]],
		[404, 'Quota exceeded', [ACCOUNT, 'The service does not have this tool.']],
		[401, 'Blocked address', [BLOCKED, KEY]],
		[400, 'The keyword has too many tokens', ['Check the fields of this item.']],
		[500, 'Out of API credits', [ACCOUNT, TROUBLE, CHARGED]],
		[500, 'Redis key not found', [KEY, TROUBLE, CHARGED]],
		[403, 'Blocked by our filters', [CONTENT, NO_ACCESS]],
		[403, 'Your prompt was blocked', [NO_ACCESS]],
		[500, 'Out of memory', [TROUBLE, CHARGED]],
	])(
		'follows the words, then the status, and names both where they disagree: %d "%s"',
		(status, serviceMessage, parts) => {
			const { title, advice } = messageFor({ ...refusal(status), serviceMessage });
			const positions = parts.map((part) => advice.indexOf(part));
			const others = [ACCOUNT, SUBSCRIBE, CONTENT, KEY, BLOCKED, TROUBLE].filter(
				(part) => !parts.join().includes(part),
			);

			expect(title).toBe(serviceMessage);
			expect(positions).not.toContain(-1);
			expect(positions).toStrictEqual([...positions].sort((a, b) => a - b));
			expect(others.filter((part) => advice.includes(part))).toStrictEqual([]);
		},
	);

	it.each([
		[NOT_CHARGED, [307, 308, 400, 401, 402, 403, 404, 413, 415, 422]],
		[CHARGED, [302, 303, 408, 500, 502, 599]],
	])('ends with what a refused request cost: %s', (cost, statuses) => {
		for (const status of statuses) {
			for (const serviceMessage of ['Out of API credits', undefined]) {
				const { advice } = messageFor({ kind: 'rejection', status, serviceMessage });
				const said = [NOT_CHARGED, CHARGED].filter((each) => advice.includes(each));

				expect([status, said]).toStrictEqual([status, [cost]]);
			}
		}
	});

	it.each([
		[
			'a web page',
			403,
			/^It comes from a proxy, a firewall or another server\. Check 'Base URL' in the credential, or ask your n8n administrator whether the address is blocked\. Nothing was charged for this request\.$/,
		],
		[
			'an empty response',
			502,
			/^It comes from a proxy, a firewall .*'Base URL'.* You may have been/,
		],
		['a web page', 413, /^The image is too large for a server in between\..* Nothing was charged/],
	])(
		'says what came instead of the service’s answer: %s with status %d',
		(returned, status, advice) => {
			const message = messageFor({ kind: 'intercepted', status, returned });

			expect(message.title).toMatch(
				/^An? \w+ \w+ with status \d+ came instead of the service's answer$/,
			);
			expect(message.advice).toMatch(advice);
		},
	);

	it.each<[Partial<Failure>, advice: string]>([
		[{ status: 500, job: JOB }, `${PAID}Open the link below.`],
		[{ status: 300, location: 'https://a.example' }, 'to https://a.example.'],
		[{ status: 399, location: 'x'.repeat(300) }, `to ${'x'.repeat(200)}.`],
	])('says what a rejection names: %j', (facts, advice) => {
		expect(messageFor({ kind: 'rejection', ...facts } as Failure).advice).toContain(advice);
	});
});

describe('the message for a limit that is reached', () => {
	const limit = (more: object): Failure => ({
		kind: 'limit reached',
		per: 'day',
		max: 50,
		bought: 50,
		needed: 1,
		freeIn: 3 * 3_600_000,
		isNothingSent: false,
		isTool: false,
		...more,
	});

	it.each<[what: object, advice: string]>([
		[{}, 'or wait: the next image can be bought in about 3 hours.'],
		[
			{ isTool: true },
			'No more images can be bought now: the next image can be bought in about 3 hours. Answer',
		],
		[{ freeIn: 0 }, "Raise 'Max Images per Day' to allow more images in 24 hours."],
		[
			{ per: 'execution', freeIn: undefined },
			"Raise 'Max Images' to allow more images in one execution.",
		],
		[{ isNothingSent: true }, "To buy as many as the limit allows, set 'On Error'"],
	])('says what to do, and when there is a place again: %j', (what, advice) => {
		expect(messageFor(limit(what)).advice).toContain(advice);
	});
});

describe('the message for a refused request that was not sent', () => {
	const refused = (asked: number | undefined): Failure => ({
		kind: 'rate limited',
		refusal: { ...refusal(429), serviceMessage: 'Slow down' },
		asked,
		patience: 600_000,
	});
	const later = `${NOT_CHARGED} Run the item again later, or add the option`;

	it.each([
		[undefined, 'The service has accepted no requests for 10 minutes, the limit'],
		[3_600_000 * 5, 'The service asks you to wait 5 hours, longer'],
		// What Retry-After says of a number with twenty digits.
		[1e23, 'The service asks you to wait more than a year, longer'],
	])('says how long to wait: %p', (asked, wait) => {
		const { title, advice } = messageFor(refused(asked));

		expect(title).toBe('Slow down');
		expect(advice).toContain(wait);
		expect(advice).toContain(later);
	});

	it('names the account if the service’s words are about it', () => {
		const refusal429 = { ...refusal(429), serviceMessage: 'Monthly quota exceeded' };
		const { advice } = messageFor({
			kind: 'rate limited',
			refusal: refusal429,
			asked: undefined,
			patience: 1000,
		});

		expect(advice.startsWith(`${ACCOUNT} The service has accepted no requests`)).toBe(true);
	});
});

describe('the message for a response without a job result', () => {
	const what = 'The service returned JSON instead of a job result';
	const response: Failure = { kind: 'unexpected response', returned: 'JSON', status: 200 };
	const check = `Check 'Base URL' in the credential. ${MAYBE}`;
	const paid = 'The response names a job, so you were charged. Ask the service about this job.';
	const links = ['http://a', 'http://b'];

	it.each<[Partial<Failure>, title: string, advice: string]>([
		[{}, what, check],
		[{ serviceMessage: 'Gone' }, 'Gone', `${what}. ${check}`],
		[{ job: { id: '1' } }, what, paid],
		[{ job: { id: '1' }, serviceMessage: 'Gone' }, 'Gone', `${what}. ${paid}`],
		[{ links }, what, `${check} Links in the response: http://a http://b`],
		[{ excerpt: 'Hello' }, what, `${check} The response begins: Hello`],
	])('with %j begins with the service’s words, then describes it', (more, title, advice) => {
		expect(messageFor({ ...response, ...more } as Failure)).toStrictEqual({ title, advice });
	});
});

describe('the message for a paid image that was not downloaded', () => {
	const BY_HAND = 'Open the link below in a browser.';
	const ASK = 'Ask the service about the job.';
	const IN_PLACE = 'put it in place of ••• and open the link in a browser.';
	const [origin, message] = ['https://a.b', 'why'];
	const status = (code: number, mayLackKey = false, reason: 'status' | 'gone' = 'status') =>
		({ reason, status: code, mayLackKey }) as const;

	it.each<[reason: object, why: string, remedy: string]>([
		[status(204), 'its link returned status 204.', BY_HAND],
		[status(404, false, 'gone'), 'the service no longer has it (status 404).', ASK],
		[status(410, false, 'gone'), 'the service no longer has it (status 410).', ASK],
		[
			{ ...status(404, false, 'gone'), serviceMessage: 'Gone' },
			'Gone. The image could not be downloaded (status 404).',
			ASK,
		],
		[status(403, true), 'status 403.', IN_PLACE],
		[status(404, true, 'gone'), 'status 404).', IN_PLACE],
		[{ reason: 'empty' }, 'The service returned an empty file.', BY_HAND],
		[{ reason: 'not an image', claimed: '' }, 'a file that is not an image (unknown', BY_HAND],
		[{ reason: 'interrupted', message }, 'The download was interrupted (why).', BY_HAND],
		[
			{ reason: 'timeout' },
			"The image could not be downloaded in the time set by 'Timeout'.",
			`${BY_HAND} To allow more time, `,
		],
		[{ reason: 'blocked', message }, 'n8n blocked the request (why).', 'ask your n8n admin'],
		[{ reason: 'incomplete' }, 'it arrived incomplete.', BY_HAND],
		[{ reason: 'too large' }, 'it is larger than 1 GiB.', BY_HAND],
		[{ reason: 'other host', origin }, `on another host, ${origin}.`, `${BY_HAND} If you trust`],
		[{ reason: 'key leak', origin }, `send the API key to another host, ${origin}.`, ASK],
		[{ reason: 'bad redirect' }, 'redirects to something that is not a web address.', BY_HAND],
		[{ reason: 'redirect loop' }, 'its link redirects too many times.', BY_HAND],
		[{ reason: 'not stored', message }, 'n8n could not store it (why).', BY_HAND],
	])('for %j says why and how to get it, never to buy it', (reason, why, remedy) => {
		const { title, advice } = messageFor({ kind: 'download', ...reason } as DownloadFailure);

		expect(title).toContain(why);
		expect(advice.startsWith(PAID)).toBe(true);
		expect(advice).toContain(remedy);
		expect(advice).not.toMatch(/again/i);
	});

	it.each([
		['Gone', 'Gone. The'],
		['Gone!', 'Gone! The'],
		[undefined, 'The'],
	])('begins with the service’s own words: %s', (serviceMessage, start) => {
		const title = `${start} image could not be downloaded: its link returned status 500.`;

		expect(messageFor({ kind: 'download', ...status(500), serviceMessage }).title).toBe(title);
	});
});
