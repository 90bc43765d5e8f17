import { collectGarbage } from '../support/collectGarbage';
import { useFixture } from '../support/fixture';
import { until } from '../support/until';

const fixture = useFixture();

describe('a stalled download', () => {
	it('ends when its time is up, even after a garbage collection', async () => {
		fixture.sandbox.arm({ fault: 'download-stall' });
		const { result } = fixture.start({
			operation: 'generate',
			prompt: 'A fox',
			size: '128x128',
			options: { timeout: 1, maxRetries: 0 },
		});
		let isOver = false;
		const over = result.finally(() => {
			isOver = true;
		});
		await until(() => fixture.downloads()[0]?.status === 200);
		// Almost until the timeout: collecting garbage blocks a large process.
		const nearlyUp = Date.now() + 900;
		await until(() => {
			collectGarbage();
			return Date.now() > nearlyUp;
		});
		await until(() => isOver);
		const { error } = await over;

		expect(error?.message).toBe("The image could not be downloaded in the time set by 'Timeout'.");
		expect(fixture.charged()).toBe(1);
	});
});
