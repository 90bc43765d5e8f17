import { useFixture } from '../support/fixture';
import { openGate } from '../support/gate';
import { until } from '../support/until';

const fixture = useFixture();

describe('the number of requests at the service', () => {
	it('never exceeds the concurrency, and a slow item does not block the others', async () => {
		const gate = await openGate(fixture.sandbox.url);
		const titles = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
		const charged = fixture.sandbox.ledger.length;
		const { result } = fixture.start(
			{
				operation: 'generate',
				prompt: '={{ $json.title }}',
				size: '128x128',
				options: { concurrency: 3 },
			},
			{
				items: titles.map((title) => ({ json: { title } })),
				credential: { baseUrl: gate.url, apiKey: 'test-key' },
			},
		);

		// Answers the newest first, so that a and b wait until all others are done.
		for (let answered = 0; answered < 2 * titles.length; answered++) {
			const left = titles.length - Math.floor(answered / 2);
			await until(() => gate.waiting.length === Math.min(3, left));
			gate.waiting.pop()?.();
		}
		const { rows, error } = await result;
		gate.close();

		expect(error).toBeUndefined();
		expect(gate.most).toBe(3);
		const ledger = fixture.sandbox.ledger.slice(charged);
		expect(ledger.map(({ fields }) => fields.text)).toEqual([...titles.slice(2), 'b', 'a']);
		const jobs = titles.map((title) => ledger.find(({ fields }) => fields.text === title)?.jobId);
		expect(rows.map(({ json }) => json.id)).toEqual(jobs);
	});
});
