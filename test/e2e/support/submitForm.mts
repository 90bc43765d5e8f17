import { openPage } from '../../../scripts/host/openEditor.mjs';
import type { Fixture } from './fixture.mjs';
import { withPage } from './withPage.mjs';

/** Submits photos through a form in the browser, as `photo 1.jpg`, `photo 2.jpg` and so on. */
export async function submitForm(
	{ n8n, host }: Fixture,
	path: string,
	photos: readonly Buffer[],
): Promise<void> {
	const files = photos.map((buffer, index) => ({
		name: `photo ${index + 1}.jpg`,
		mimeType: 'image/jpeg',
		buffer,
	}));
	await withPage(openPage(n8n.url), `${path}-${host.version}`, async (page) => {
		await page.goto(`${n8n.url}/form/${path}`);
		await page.setInputFiles('input[type="file"]', files);
		await page.click('#submit-btn');
		await page.getByText('Your response has been recorded').waitFor({ timeout: 60_000 });
	});
}
