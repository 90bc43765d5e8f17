import { startSandbox, type Sandbox } from '../../sandbox';
import { findText } from '../support/findText';
import { respondJson, KEY, useRawService } from '../support/rawService';

const service = useRawService();
const OTHER_KEY = 'another+secret/key=2';
const prompts = (count: number) =>
	Array.from({ length: count }, (_, number) => ({ json: { prompt: `Fox ${number}` } }));
const parameters = { prompt: '={{ $json.prompt }}', download: false };

let elsewhere: Sandbox;
beforeAll(async () => {
	elsewhere = await startSandbox({ apiKey: OTHER_KEY });
});
afterAll(async () => {
	await elsewhere.close();
});

describe('a credential edited while the workflow runs', () => {
	it('sends no key to the new service and no new key to the old one', async () => {
		const credential = service.credential;
		service.onCall = (_request, response) => {
			Object.assign(credential, { baseUrl: elsewhere.url, apiKey: OTHER_KEY });
			respondJson(response, service.job);
		};
		const { error, run } = await service.run(
			{ concurrency: 1 },
			{ credential, items: prompts(4), parameters },
		);

		expect(service.requests.map(({ headers }) => headers['api-key'])).toEqual([KEY]);
		expect(elsewhere.requests).toEqual([]);
		expect(error?.message).toMatch(
			`The credential was edited while the workflow was running: its 'Base URL' now points to ${elsewhere.url}.`,
		);
		expect(error?.description).toContain('Nothing was sent. Run the workflow again');
		expect(findText(run, KEY)).toEqual([]);
		expect(findText(run, OTHER_KEY)).toEqual([]);
	});

	it('is used with its new key if the service stays the same, and both keys are hidden', async () => {
		const credential = service.credential;
		service.onCall = (_request, response) => {
			credential.apiKey = OTHER_KEY;
			respondJson(response, { ...service.job, said: `${KEY} ${OTHER_KEY}` });
		};
		const { rows } = await service.run(
			{ concurrency: 1 },
			{ credential, items: prompts(2), parameters },
		);

		expect(service.requests.map(({ headers }) => headers['api-key'])).toEqual([KEY, OTHER_KEY]);
		expect(rows[1]?.json.said).toBe('••• •••');
	});

	it('is reported if it is no longer valid', async () => {
		const credential = service.credential;
		service.onCall = (_request, response) => {
			credential.apiKey = '';
			respondJson(response, service.job);
		};
		const { error } = await service.run(
			{ concurrency: 1 },
			{ credential, items: prompts(2), parameters },
		);

		expect(error?.message).toContain("'API Key' in the credential is empty.");
		expect(service.requests).toHaveLength(1);
	});
});

describe('a credential that n8n cannot read', () => {
	it('is retried, because nothing was sent, and finally reported', async () => {
		let reads = 0;
		const credential = {
			...service.credential,
			get apiKey() {
				if (++reads > 1) throw new Error('The vault is away');
				return KEY;
			},
		};
		const { error } = await service.run({ maxRetries: 1 }, { credential });

		expect(reads).toBe(3);
		expect(error?.message).toBe('n8n could not read the credential (The vault is away)');
		expect(error?.description).toContain('Nothing was sent.');
		expect(error?.description).not.toContain('charged');
		expect(service.requests).toEqual([]);
	});
});

describe('the key', () => {
	it('is hidden in a file’s type and extension', async () => {
		const odd = { 'content-type': `image/x-${KEY}` };
		service.onDownload = (_request, response) => response.writeHead(200, odd).end('\0\x01\x02');
		const { run, error } = await service.run();

		expect(error?.message).toBe(
			'The service returned a file that claims to be image/x-••• but is not an image.',
		);
		expect(findText(run, KEY)).toEqual([]);
	});
});
