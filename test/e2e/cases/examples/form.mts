import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage } from '../../../../scripts/host/openEditor.mjs';
import { photo, photoFile, type Fixture } from '../../support/fixture.mjs';
import { withPage } from '../../support/withPage.mjs';
import { shipped } from './shipped.mjs';

/** The example with a form. */
export function formExampleCases(fixture: Fixture): void {
	void describe('Product Photos from a Form', () => {
		/** Fills in the form and submits it. */
		const send = async (page: Page, files: Parameters<Page['setInputFiles']>[1]) => {
			await page.goto(`${fixture.n8n.url}/form/product-photos`);
			await page.getByPlaceholder('Red bicycle').fill('Red bicycle');
			await page.setInputFiles('input[type="file"]', files);
			await page.click('#submit-btn');
		};
		const priceList = {
			name: 'prices.pdf',
			mimeType: 'application/pdf',
			buffer: Buffer.from('%PDF-1.7'),
		};
		before(async () => {
			const workflow = shipped(fixture, 'product-photos-from-a-form.json');
			await fixture.api.publish(workflow, '/form/product-photos');
		});

		void it('returns one ZIP file with the cut-outs of all photos', async () => {
			const { url } = fixture.n8n;
			await withPage(openPage(url), `photos-${fixture.host.version}`, async (page) => {
				const [file] = await Promise.all([
					page.waitForEvent('download', { timeout: 60_000 }),
					send(page, [photoFile, photoFile]),
				]);

				assert.equal(file.suggestedFilename(), 'product-photos.zip');
				const zip = (await readFile(await file.path())).toString('latin1');
				assert.ok(zip.startsWith('PK'));
				for (const name of ['Red bicycle.png', 'Red bicycle-2.png']) assert.ok(zip.includes(name));
				const tools = fixture.charged().map(({ tool }) => tool);
				assert.deepEqual(tools, ['background-remover', 'background-remover']);
			});
		});

		void it('returns the photos and names the PDF among them', async () => {
			const { url } = fixture.n8n;
			await withPage(openPage(url), `pdf-${fixture.host.version}`, async (page) => {
				const sent = [{ name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: photo }, priceList];
				await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), send(page, sent)]);
				await page.getByText('Not included: prices.pdf').waitFor();
				assert.equal(fixture.charged().length, 1);
			});
		});

		void it('tells a visitor without a photo what to send', async () => {
			const { url } = fixture.n8n;
			await withPage(openPage(url), `no-photo-${fixture.host.version}`, async (page) => {
				await send(page, [priceList]);
				await page.getByText('None of your files is an image').waitFor({ timeout: 60_000 });
				assert.deepEqual(fixture.charged(), []);
			});
		});
	});
}
