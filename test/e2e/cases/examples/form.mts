import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { openPage } from '../../../../scripts/host/openEditor.mjs';
import { photoFile, type Fixture } from '../../support/fixture.mjs';
import { withPage } from '../../support/withPage.mjs';
import { shipped } from './shipped.mjs';

/** The example that a person meets in the browser. */
export function formExampleCases(fixture: Fixture): void {
	void describe('Product Photos from a Form', () => {
		void it('gives a person one ZIP file with the cut-outs of the photos they sent', async () => {
			const workflow = shipped(fixture, 'product-photos-from-a-form.json');
			await fixture.api.publish(workflow, '/form/product-photos');
			const { url } = fixture.n8n;
			await withPage(openPage(url), `photos-${fixture.host.version}`, async (page) => {
				await page.goto(`${url}/form/product-photos`);
				await page.getByPlaceholder('Red bicycle').fill('Red bicycle');
				await page.setInputFiles('input[type="file"]', [photoFile, photoFile]);
				const [file] = await Promise.all([
					page.waitForEvent('download', { timeout: 60_000 }),
					page.click('#submit-btn'),
				]);

				assert.equal(file.suggestedFilename(), 'product-photos.zip');
				const zip = (await readFile(await file.path())).toString('latin1');
				assert.ok(zip.startsWith('PK'));
				for (const name of ['Red bicycle.png', 'Red bicycle-2.png'])
					assert.ok(zip.includes(name));
				const tools = fixture.charged().map(({ tool }) => tool);
				assert.deepEqual(tools, ['background-remover', 'background-remover']);
			});
		});
	});
}
