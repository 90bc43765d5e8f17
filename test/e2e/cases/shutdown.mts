import { describe, it } from 'node:test';
import { BeforeEnd } from '../support/beforeEnd.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { FourImages } from '../support/FourImages.mjs';
import { rowsOfTable } from '../support/tables.mjs';
import { until } from '../support/until.mjs';

/** n8n is asked to end (SIGTERM), and starts again. */
export function shutdownCases(fixture: Fixture, hasLog: boolean): void {
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

		if (!hasLog) return;
		const stopped = shutdown.add(async () => {
			const log = 'Log of stopped runs';
			const flow = await FourImages.publish(fixture, 'stopped-before', { log });
			await flow.beginSlowly(3);
			await flow.stop();
			await until('the answer that was awaited is in the log', async () => {
				const left = (await rowsOfTable(fixture, log)).filter(({ state }) => state === 'left');
				return left.length === 3;
			});
			return flow;
		});

		it('leaves what a stopped run bought to the next one, by a Purchase Log', async () => {
			const flow = await stopped();
			await flow.assertPaidOnce(await flow.run());
		});
	});
}
