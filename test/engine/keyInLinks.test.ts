import { findText } from '../support/findText';
import { PIXEL } from '../support/images';
import { KEY, respondJson, useRawService } from '../support/rawService';
import { fox, TWO_ATTEMPTS } from '../support/runs';
import { useSecondService } from '../support/secondService';

const service = useRawService();
const anyHost = () => ({ ...service.credential, allowOtherHosts: true });
const second = useSecondService();
const inLink = encodeURIComponent(KEY);
const ownLink = (path: string) => `${service.credential.baseUrl}${path}`;

/** Lets the service respond with this link, and with an image behind it if the status is 200. */
function respondWithLink(link: string, statusOf: (url?: string) => number = () => 200): void {
	service.onCall = (_request, response) => respondJson(response, { id: 'a-job', output_url: link });
	service.onDownload = ({ url }, response) => {
		response.writeHead(statusOf(url), { 'content-type': 'image/gif' }).end(PIXEL);
	};
}
const methods = () => service.requests.map(({ method }) => method);
const downloaded = () =>
	service.requests.filter(({ method }) => method === 'GET').map(({ url }) => url);

describe('a link into which the service put the key', () => {
	it('is downloaded from the service with the key, and is shown and stored without it', async () => {
		respondWithLink(ownLink(`/${inLink}/a.gif?key=${KEY.toUpperCase()}`));
		const { rows, error, run } = await service.run();

		expect(error).toBeUndefined();
		expect(downloaded()).toStrictEqual([`/${inLink}/a.gif?key=${KEY.toUpperCase()}`]);
		expect(rows[0]?.json.output_url).toBe(ownLink('/•••/a.gif?key=•••'));
		expect(rows[0]?.binary?.data).toBeDefined();
		expect([...findText(run, KEY), ...findText(run, inLink)]).toStrictEqual([]);
	});

	it('is also downloaded by a second attempt of Retry On Fail', async () => {
		respondWithLink(ownLink(`/a.gif?key=${inLink}`), () => (downloaded().length === 1 ? 403 : 200));
		const { error } = await service.run({}, { node: TWO_ATTEMPTS });

		expect(error).toBeUndefined();
		expect(methods()).toStrictEqual(['POST', 'GET', 'GET']);
		expect(downloaded()).toStrictEqual(Array(2).fill(`/a.gif?key=${inLink}`));
	});

	it('is not downloaded from another host, even if other hosts are allowed', async () => {
		respondWithLink(`${second.url}/a.gif?key=${inLink}`);
		const { error } = await service.run({}, { credential: anyHost() });

		expect(second.requests).toStrictEqual([]);
		expect(error?.message).toBe(
			`The image was not downloaded because its link would send the API key to another host, ${second.url}.`,
		);
		expect(error?.description).toContain('finished and paid for. Ask the service about the job.');
		expect(error?.description).toContain(`${second.url}/a.gif?key=•••`);
	});

	it('is had again by Reuse Images, because this n8n process remembers the whole link', async () => {
		const statusOf = (url?: string) => (url?.includes(inLink) ? 200 : 404);
		respondWithLink(ownLink(`/a.gif?key=${inLink}`), statusOf);
		const run = async () => await service.run({ reuse: 'always', negativePrompt: 'rain' });
		expect((await run()).error).toBeUndefined();
		const { error, rows, run: execution } = await run();

		expect(error).toBeUndefined();
		expect(methods()).toStrictEqual(['POST', 'GET', 'GET']);
		expect(rows[0]?.binary?.data).toBeDefined();
		expect(findText(execution, inLink)).toStrictEqual([]);
	});

	it('does not take the key to another host by a redirect', async () => {
		respondWithLink(ownLink('/a.gif'));
		service.onDownload = (_request, response) => {
			response.writeHead(302, { location: `${second.url}/?key=${inLink}` }).end();
		};
		const { error } = await service.run({}, { credential: anyHost() });

		expect(second.requests).toStrictEqual([]);
		expect(error?.message).toContain('would send the API key to another host');
	});
});

it.each([
	['another host', second],
	['the service', service],
])('a literal ••• in a link is text: no key takes its place, on %s', async (_where, host) => {
	const url = host === service ? service.credential.baseUrl : second.url;
	respondWithLink(`${url}/poster •••.gif`);
	await service.run({}, { credential: anyHost() });

	expect(host.requests.at(-1)?.url).toBe('/poster%20%E2%80%A2%E2%80%A2%E2%80%A2.gif');
});

describe('Retry in the list of executions of a link that was stored without the key', () => {
	const retry = async (credential = anyHost()) => {
		respondWithLink(ownLink(`/a.gif?key=${inLink}`), () => 403);
		const failed = await service.run();
		expect(failed.error?.message).toContain('status 403');
		return await service.engine.retry(failed, { parameters: fox(), credential });
	};

	it('buys nothing and says where the key belongs', async () => {
		const { error } = await retry();

		expect(methods()).toStrictEqual(['POST', 'GET', 'GET']);
		expect(downloaded().at(-1)).toBe('/a.gif?key=%E2%80%A2%E2%80%A2%E2%80%A2');
		expect(error?.description).toContain(
			'finished and paid for. If the API key was part of the link, put it in place of ••• and open the link in a browser.',
		);
		expect(error?.description).toContain(ownLink('/a.gif?key=•••'));
	});

	it('sends no new key to the old service after the credential has moved', async () => {
		await retry({ baseUrl: second.url, apiKey: 'another-key-of-mine', allowOtherHosts: true });

		expect(downloaded().at(-1)).toBe('/a.gif?key=%E2%80%A2%E2%80%A2%E2%80%A2');
		expect(second.requests).toStrictEqual([]);
	});
});
