import { useFixture } from '../support/fixture';
import { CONTINUE, generate, itemsOf } from '../support/runs';
import { useServer } from '../support/server';

const fixture = useFixture();
/** A host that no request should reach. */
const second = useServer((_request, response) => response.writeHead(404).end());

/** Options that the node had once. */
const REMOVED = {
	allowOtherHosts: true,
	maxRetries: 0,
	requestInterval: 3_600_000,
	retryUnclearOutcome: true,
};

describe('a saved workflow with options that the node no longer has', () => {
	it('runs as without them', async () => {
		fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '0' });
		const { rows } = await fixture.run(generate(REMOVED), { items: itemsOf('One', 'Two') });

		expect(rows.map(({ binary }) => binary?.data !== undefined)).toStrictEqual([true, true]);
		expect(fixture.charged()).toBe(2);
	});

	it('neither repeats what may have been charged, nor downloads from another host', async () => {
		fixture.sandbox.arm({ fault: 'reset-after', when: 'One' });
		fixture.sandbox.arm({ fault: 'download-redirect', location: `${second.url}/output.jpg` });
		await fixture.run(generate(REMOVED), {
			items: itemsOf('One', 'Two'),
			node: CONTINUE,
		});

		expect(fixture.calls()).toHaveLength(2);
		expect(second.requests).toStrictEqual([]);
	});
});
