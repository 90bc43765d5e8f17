import { startSandbox, type FaultRule } from '../../../sandbox';
import { findText } from '../../support/findText';
import { KEY, respondJson, useRawService } from '../../support/rawService';
import { forgetPurchases } from '../../support/remembered';
import { CONTINUE, fox } from '../../support/runs';
import { useServer, type Handler } from '../../support/server';
import { useStarted } from '../../support/started';

const service = useRawService();
/** A host that no request should reach. */
const second = useServer((_request, response) => response.writeHead(404).end());
const OTHER_KEY = 'another+secret/key=2';
const inLink = encodeURIComponent(KEY);
const BLANK = '%E2%80%A2%E2%80%A2%E2%80%A2';
const keysSent = () => service.requests.map(({ headers }) => headers['api-key']);
const anyHost = () => ({ ...service.credential, allowOtherHosts: true });
const ownLink = (path: string) => `${service.credential.baseUrl}${path}`;
const secondGot = () =>
	second.requests.map(({ method, url, headers }) => [method, url, headers['api-key']]);

/** Lets the service respond with this link. */
function respondWithLink(link: string): void {
	service.onCall = (_request, response) => respondJson(response, { id: 'a-job', output_url: link });
}

/** Redirects a request. */
function redirectTo(location: string, status = 302): Handler {
	return (_request, response) => response.writeHead(status, { location }).end();
}

describe('the key', () => {
	it.each([302, 307])(
		'does not follow a redirect to another host, which receives nothing (status %d)',
		async (status) => {
			const location = `${second.url}/api/text2img`;
			service.onCall = redirectTo(location, status);
			const { error } = await service.run();

			expect(error?.httpCode).toBe(String(status));
			expect(error?.description).toContain(`The service redirects to ${location}.`);
			expect(second.requests).toStrictEqual([]);
		},
	);

	it('is not sent with a download, and neither sent nor shown if the service put it into a link', async () => {
		respondWithLink(ownLink(`/a.gif?key=${inLink}`));
		const { error, run } = await service.run();

		const requests = service.requests.map(({ method, url }) => `${method} ${url}`);
		expect(requests).toStrictEqual(['POST /api/text2img', `GET /a.gif?key=${BLANK}`]);
		expect(keysSent()).toStrictEqual([KEY, undefined]);
		expect(error?.description).toContain('finished and paid for');
		expect(error?.description).toContain(`${ownLink('/a.gif?key=•••')} (job a-job)`);
		expect([...findText(run, KEY), ...findText(run, inLink)]).toStrictEqual([]);
	});

	it.each([
		['by a link', () => respondWithLink(`${second.url}/a.gif?key=${inLink}`)],
		[
			'by a redirect',
			() => {
				respondWithLink(ownLink('/a.gif'));
				service.onDownload = redirectTo(`${second.url}/a.gif?key=${inLink}`);
			},
		],
	])('does not reach another host, even if other hosts are allowed: %s', async (_how, arm) => {
		arm();
		await service.run({}, { credential: anyHost() });

		expect(secondGot()).toStrictEqual([['GET', `/a.gif?key=${BLANK}`, undefined]]);
	});
});

it('a download does not leave the Base URL’s host, and the message says how to allow it', async () => {
	respondWithLink(ownLink('/a.gif'));
	service.onDownload = redirectTo(`${second.url}/a.gif`);
	const { error } = await service.run();

	expect(error?.message).toBe(
		`The image was not downloaded because it is on another host, ${second.url}.`,
	);
	expect(error?.description).toContain("turn on 'Allow Other Hosts' in the credential");
	expect(error?.description).toContain(ownLink('/a.gif'));
	expect(second.requests).toStrictEqual([]);
});

it('uses the credential as it was when the run started, also if it is edited meanwhile', async () => {
	const credential = service.credential;
	service.onCall = (_request, response) => {
		Object.assign(credential, { baseUrl: second.url, apiKey: OTHER_KEY });
		respondJson(response, service.job);
	};
	const items = ['One', 'Two', 'Three'].map((prompt) => ({ json: { prompt } }));
	const parameters = { ...fox(), prompt: '={{ $json.prompt }}', download: false };
	await service.run({ concurrency: 1 }, { credential, items, parameters });

	expect(keysSent()).toStrictEqual([KEY, KEY, KEY]);
	expect(second.requests).toStrictEqual([]);
});

describe('the key is left nowhere', () => {
	const apiKey = 'KEY-that-nobody-may-see';
	const sandbox = useStarted(async () => await startSandbox({ apiKey, echoImages: true }));
	const escaped = JSON.stringify({ err: `Who is ${apiKey}?` });

	it.each<[string, FaultRule]>([
		['err', { fault: 'status', status: 401, body: { err: `No such key: ${apiKey}` } }],
		['err of a 200', { fault: 'err-in-200', body: { err: `No such key: ${apiKey}` } }],
		['plain text', { fault: 'status', status: 500, body: `Bad key ${apiKey}` }],
		['the name of a field', { fault: 'extra-fields', body: { [apiKey]: 1 } }],
		[
			'a job’s field',
			{ fault: 'extra-fields', body: { id: apiKey, output_url: `http://x/${apiKey}` } },
		],
		['a job’s id', { fault: 'no-output-url', body: { id: apiKey } }],
		['a redirect’s address', { fault: 'redirect', location: `/login?key=${apiKey}` }],
		[
			'another host',
			{ fault: 'other-host-output-url', location: `http://${apiKey.toLowerCase()}.example` },
		],
		[
			'a download’s redirect',
			{ fault: 'download-redirect', location: `http://a.example/${apiKey}` },
		],
		['a download’s message', { fault: 'download-404', body: escaped }],
		['a download’s type', { fault: 'text-as-png', contentType: `text/${apiKey}` }],
		['a download’s body', { fault: 'json-200', body: escaped }],
	])('even if the service repeats it in %s', async (_where, fault) => {
		for (const node of [{}, CONTINUE]) {
			forgetPurchases();
			sandbox().arm({ times: 9, ...fault });
			const result = await service.run(
				{},
				{ credential: { baseUrl: sandbox().url, apiKey }, node },
			);
			sandbox().disarm();

			expect(findText(result, apiKey)).toStrictEqual([]);
		}
	});
});
