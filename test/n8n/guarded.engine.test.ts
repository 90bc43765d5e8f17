/**
 * n8n reads these settings once, so this file loads its own n8n.
 * @jest-environment node
 */
import '../support/guardedNetwork';

import { useFixture } from '../support/fixture';
import { fox } from '../support/runs';

const fixture = useFixture();
const byName = () => fixture.sandbox.url.replace('127.0.0.1', 'localhost');
const BLOCKED =
	'n8n blocked the request (The request was blocked because the destination hostname is restricted)';

describe('a host that n8n is configured to block', () => {
	it('receives no request, and the message says that nothing was sent', async () => {
		const { error } = await fixture.run(fox(), {
			credential: { ...fixture.credential, baseUrl: byName() },
		});

		expect(error?.message).toBe(BLOCKED);
		expect(error?.description).toContain('Nothing was sent.');
		expect(fixture.calls()).toHaveLength(0);
	});

	it('keeps its image, and the message has the link', async () => {
		fixture.sandbox.arm({ fault: 'other-host-output-url', location: byName() });
		const credential = { ...fixture.credential, allowOtherHosts: true };
		const { error } = await fixture.run(fox(), { credential });

		expect(error?.message).toBe(`The image could not be downloaded: ${BLOCKED}.`);
		expect(error?.description).toContain(`${byName()}/job-view-file/`);
		expect(fixture.charged()).toBe(1);
		expect(fixture.downloads()).toHaveLength(0);
	});
});
