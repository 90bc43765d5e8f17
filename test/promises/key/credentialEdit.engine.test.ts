import { findText } from '../../support/findText';
import { respondJson, KEY, useRawService } from '../../support/rawService';
import { useSecondService } from '../../support/secondService';

const service = useRawService();
const second = useSecondService();
const OTHER_KEY = 'another+secret/key=2';
const keysSent = () => service.requests.map(({ headers }) => headers['api-key']);

/** Runs some items one by one, with a credential that is edited during the first request. */
async function runWithEdit(edit: object, said?: string) {
	const credential = service.credential;
	service.onCall = (_request, response) => {
		Object.assign(credential, edit);
		respondJson(response, { ...service.job, said });
	};
	const items = ['One', 'Two', 'Three'].map((prompt) => ({ json: { prompt } }));
	const parameters = { prompt: '={{ $json.prompt }}', download: false };
	return await service.run({ concurrency: 1 }, { credential, items, parameters });
}

describe('a credential edited while the workflow runs', () => {
	it('sends no key to the new service and no new key to the old one', async () => {
		const { error, run } = await runWithEdit({ baseUrl: second.url, apiKey: OTHER_KEY });

		expect(keysSent()).toStrictEqual([KEY]);
		expect(second.requests).toStrictEqual([]);
		expect(error?.message).toMatch(
			`The credential was edited while the workflow was running: its 'Base URL' now points to ${second.url}.`,
		);
		expect(error?.description).toContain('Nothing was sent. Run the workflow again');
		expect([...findText(run, KEY), ...findText(run, OTHER_KEY)]).toStrictEqual([]);
	});

	it('is used with its new key if the service stays the same, and both keys are hidden', async () => {
		const { rows } = await runWithEdit({ apiKey: OTHER_KEY }, `${KEY} ${OTHER_KEY}`);

		expect(keysSent()).toStrictEqual([KEY, OTHER_KEY, OTHER_KEY]);
		expect(rows[1]?.json.said).toBe('••• •••');
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
		const { error } = await service.run({}, { credential });

		expect(reads).toBe(5);
		expect(error?.message).toBe('n8n could not read the credential (The vault is away)');
		expect(error?.description).toContain('Nothing was sent.');
		expect(error?.description).not.toContain('charged');
		expect(service.requests).toStrictEqual([]);
	});
});
