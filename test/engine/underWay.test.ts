import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

import { useFixture } from '../support/fixture';
import { until } from '../support/until';

const fixture = useFixture();

describe('what is under way at the service', () => {
	it('is never more than the concurrency, and a slow item holds up no other', async () => {
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

		// The latest is let in first, so that a and b wait until all others are done.
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

/** A door in front of a service: every request waits until it is let in. Close it in the end. */
interface Gate {
	/** Without a slash at the end. */
	readonly url: string;
	/** Those that wait, in the order they came; calling one lets it in. */
	readonly waiting: Array<() => void>;
	/** The most requests that were unanswered at a time. */
	readonly most: number;
	close(): void;
}

/** @param service The address behind the gate. */
async function openGate(service: string): Promise<Gate> {
	const waiting: Array<() => void> = [];
	let unanswered = 0;
	let most = 0;
	const server = createServer((incoming, answer) => {
		most = Math.max(most, ++unanswered);
		waiting.push(() => {
			const { method, headers, url = '' } = incoming;
			// With its own Host, so that the service's links lead through the gate, too.
			const onward = request(`${service}${url}`, { method, headers }, (came) => {
				unanswered--;
				answer.writeHead(came.statusCode ?? 0, came.headers);
				came.pipe(answer);
			});
			incoming.pipe(onward);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		waiting,
		get most() {
			return most;
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
