import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hintsOf, idsIn } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { FourImages } from '../support/FourImages.mjs';
import { agePurchases, rowsOfTable } from '../support/tables.mjs';

/** n8n stores nothing of a killed execution, as with `N8N_EVENTBUS_RECOVERY_MODE=simple`. */
export function unnoticedDeathCase(fixture: Fixture): void {
	it('leaves the images of an execution that was killed in a later node to a run one hour later, and not to one before, because n8n does not say that it is over', async () => {
		const flow = await FourImages.publish(fixture, 'unnoticed', {
			log: true,
			options: { concurrency: 4 },
			hasLaterNode: true,
		});
		await flow.hangLater();
		const left = await rowsOfTable(fixture, flow.table);
		await fixture.restart('kill');
		fixture.sandbox.disarm();

		const next = await flow.run();
		assert.deepEqual(flow.charges, [2, 2, 2, 2]);
		await flow.assertDelivered(next);

		await agePurchases(fixture, flow.table, left, 1 / 24);
		const later = await flow.run();
		assert.deepEqual(flow.charges, [2, 2, 2, 2]);
		assert.deepEqual(idsIn(later, 'Generate'), flow.firstIds);
		assert.match(
			hintsOf(later, 'Generate'),
			/^4 images were kept from a run that did not finish\.$/m,
		);
	});
}
