import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { until, useHouse } from '../support/house';

const house = useHouse();
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a download that stalls', () => {
	it('ends when its time is up, even if memory was tidied up meanwhile', async () => {
		house.sandbox.arm({ fault: 'download-stall' });
		const { result } = house.engine.start({
			credential: house.credential,
			parameters: {
				operation: 'generate',
				prompt: 'A fox',
				size: '128x128',
				options: { timeout: 1, maxRetries: 0 },
			},
		});
		const patience = AbortSignal.timeout(30_000);
		let isOver = false;
		const over = result.finally(() => {
			isOver = true;
		});
		await until(() => house.downloads()[0]?.status === 200);
		// Until the time is nearly up, and no longer: a large process does nothing else meanwhile.
		const nearlyUp = Date.now() + 900;
		await until(() => {
			collectGarbage();
			return Date.now() > nearlyUp;
		});
		await until(() => isOver || patience.aborted);
		expect(isOver).toBe(true);
		const { error } = await over;

		expect(error?.message).toBe(
			'The image could not be fetched in the time that the option Timeout allows.',
		);
		expect(house.charged()).toBe(1);
	});
});
