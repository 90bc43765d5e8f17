import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { root } from './tools/checkout.mjs';

const examples = join(root, 'examples');
const folder = join(root, 'docs', 'images', 'examples');

/** Takes a screenshot of each example's canvas in n8n's editor. @returns their paths */
export async function canvasPictures(page: Page, n8nUrl: string): Promise<string[]> {
	mkdirSync(folder, { recursive: true });
	const files = readdirSync(examples).filter((file) => file.endsWith('.json'));
	const paths: string[] = [];
	for (const file of files) {
		const { id } = JSON.parse(readFileSync(join(examples, file), 'utf8')) as { id: string };
		await page.goto(`${n8nUrl}/workflow/${id}`);
		await page.locator('[data-test-id="canvas-node"]').last().waitFor();
		await page.waitForLoadState('networkidle');
		const path = join(folder, file.replace(/json$/, 'png'));
		const canvas = page.locator('[data-test-id="canvas-wrapper"]');
		const picture = await canvas.screenshot({ animations: 'disabled' });
		// Cuts off the editor's tabs, which overlap the canvas. A palette keeps the file small.
		await sharp(picture)
			.resize({ width: 1600 })
			.extract({ left: 0, top: 30, width: 1600, height: 870 })
			.png({ palette: true })
			.toFile(path);
		paths.push(path);
	}
	return paths;
}
