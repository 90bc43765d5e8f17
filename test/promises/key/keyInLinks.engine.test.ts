import { findText } from '../../support/findText';
import { KEY, respondJson, useRawService } from '../../support/rawService';
import { useSecondService } from '../../support/secondService';

const service = useRawService();
const second = useSecondService();
const inLink = encodeURIComponent(KEY);
const anyHost = () => ({ ...service.credential, allowOtherHosts: true });
const ownLink = (path: string) => `${service.credential.baseUrl}${path}`;

/** Lets the service respond with this link. */
function respondWithLink(link: string): void {
	service.onCall = (_request, response) => respondJson(response, { id: 'a-job', output_url: link });
}

describe('a key that the service put into a link', () => {
	it('is neither sent nor shown, and the paid job is named', async () => {
		respondWithLink(ownLink(`/a.gif?key=${inLink}`));
		service.onDownload = (_request, response) => {
			response.writeHead(403).end();
		};
		const { error, run } = await service.run();

		const requests = service.requests.map(({ method, url }) => `${method} ${url}`);
		expect(requests).toStrictEqual([
			'POST /api/text2img',
			'GET /a.gif?key=%E2%80%A2%E2%80%A2%E2%80%A2',
		]);
		expect(error?.description).toContain('finished and paid for');
		expect(error?.description).toContain(ownLink('/a.gif?key=•••'));
		expect(error?.description).toContain('(job a-job)');
		expect([...findText(run, KEY), ...findText(run, inLink)]).toStrictEqual([]);
	});

	it('does not reach another host, even if other hosts are allowed', async () => {
		respondWithLink(`${second.url}/a.gif?key=${inLink}`);
		await service.run({}, { credential: anyHost() });

		expect(second.requests.map(({ url }) => url)).toStrictEqual([
			'/a.gif?key=%E2%80%A2%E2%80%A2%E2%80%A2',
		]);
	});

	it('does not reach another host by a redirect', async () => {
		respondWithLink(ownLink('/a.gif'));
		service.onDownload = (_request, response) => {
			response.writeHead(302, { location: `${second.url}/?key=${inLink}` }).end();
		};
		await service.run({}, { credential: anyHost() });

		expect(second.requests.map(({ url }) => url)).toStrictEqual([
			'/?key=%E2%80%A2%E2%80%A2%E2%80%A2',
		]);
	});
});
