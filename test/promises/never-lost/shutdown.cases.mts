import { describe, it } from 'node:test';
import { BeforeEnd } from '../../support/wholeN8n/beforeEnd.mjs';
import type { Fixture } from '../../support/wholeN8n/fixture.mjs';
import { FourImages } from '../../support/wholeN8n/FourImages.mjs';

/** n8n is asked to end (SIGTERM), and starts again. */
export function shutdownCase(fixture: Fixture): void {
	describe('A shutdown of n8n (SIGTERM)', () => {
		const shutdown = new BeforeEnd(fixture, 'stop');
		const inTime = shutdown.add(async () => {
			const flow = await FourImages.publish(fixture, 'in-time');
			await flow.beginSlowly(3);
			return flow;
		});

		it('lets a run finish that ends in time', async () => {
			const flow = await inTime();
			await flow.assertPaidOnce(await fixture.api.lastExecution(flow.id));
		});
	});
}
