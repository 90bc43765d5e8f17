import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { useFixture } from '../support/wholeN8n/fixture.mjs';
import { FourImages } from '../support/wholeN8n/FourImages.mjs';
import { rowsOfTable } from '../support/wholeN8n/tables.mjs';
import { folderCase } from './folder.cases.mjs';

/** Between the oldest n8n with a Purchase Log, 2.10, and the newest: without the `executeAgent` of 2.22. */
describe(`Workflows in n8n ${hostVersion('n8n-2.20')}`, () => {
	const fixture = useFixture({ hostName: 'n8n-2.20', name: 'older-n8n' });
	folderCase(fixture);

	it('a Purchase Log lists each image, and the next run has those of one that failed', async () => {
		const flow = await FourImages.publish(fixture, 'older-log', {
			log: 'Purchases in an older n8n',
			hasLaterNode: true,
		});
		await flow.failLater();
		await flow.assertPaidOnce(await flow.run());

		const rows = await rowsOfTable(fixture, 'Purchases in an older n8n');
		const links = rows.map(({ link }) => link).sort();
		const bought = flow.prompts.flatMap((prompt) => fixture.charged(prompt));
		assert.deepEqual(links, bought.map(({ outputUrl }) => outputUrl).sort());
	});
});
