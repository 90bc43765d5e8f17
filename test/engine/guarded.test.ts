import '../support/guardedNetwork';

import { useHouse } from '../support/house';

const house = useHouse();
const parameters = { operation: 'generate', prompt: 'A fox', size: '128x128' };
const byName = () => house.sandbox.url.replace('127.0.0.1', 'localhost');
const BLOCKED =
	'n8n did not make the call (The request was blocked because the destination hostname is restricted)';

describe('a host that n8n was told to keep away from', () => {
	it('is not called, and the message says that nothing was sent', async () => {
		const { error } = await house.run(parameters, {
			credential: { baseUrl: byName(), apiKey: 'test-key' },
		});

		expect(error?.message).toBe(BLOCKED);
		expect(error?.description).toContain('Nothing was sent.');
		expect(house.calls()).toHaveLength(0);
	});

	it('keeps its image, and the message says where that is', async () => {
		house.sandbox.arm({ fault: 'other-host-output-url', location: byName() });
		const { error } = await house.run({ ...parameters, options: { allowOtherHosts: true } });

		expect(error?.message).toBe(`The image could not be fetched: ${BLOCKED}.`);
		expect(error?.description).toContain(`${byName()}/job-view-file/`);
		expect(house.charged()).toBe(1);
		expect(house.downloads()).toHaveLength(0);
	});
});
