import { join } from 'node:path';
import { Argument, Command } from 'commander';
import getPort from 'get-port';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { main as endToEnd } from './e2e.mjs';
import { mainExample, otherExamples } from './host/mainExample.mjs';
import { openEditor } from './host/openEditor.mjs';
import { prepare } from './host/prepare.mjs';
import { root } from './tools/checkout.mjs';
import { step } from './tools/step.mjs';

/** `npm run screenshots [-- kind …]`: the pictures of the docs, from a real n8n. */
export async function main(args: string[]): Promise<void> {
	const [asked] = new Command('npm run screenshots --')
		.description('Takes the pictures in docs/images: the examples and the editor. Needs Chromium.')
		.addArgument(
			new Argument('[kinds...]', 'which of them; all by default').choices(['examples', 'editor']),
		)
		.parse(args, { from: 'user' }).processedArgs as [string[]];
	const wanted = (kind: string) => asked.length === 0 || asked.includes(kind);
	// The editor's tests take theirs as they go, and each browser draws as finely as the docs need.
	process.env.SCREENSHOTS = join(root, 'docs', 'images');
	if (wanted('examples')) await picturesOfExamples();
	if (wanted('editor')) await endToEnd(['editor']);
}

async function picturesOfExamples(): Promise<void> {
	const { n8n } = await prepare({
		n8n: await getPort({ host: '127.0.0.1' }),
		sandbox: await getPort({ host: '127.0.0.1' }),
	});
	const page = await openEditor(n8n.session);
	const canvases = async () => await canvasPictures(page, n8n.url);
	const paths = await step('Taking a picture of each example', canvases);
	console.log(paths.map((path) => `  ${path}`).join('\n'));
	await page.context().browser()?.close();
	await n8n.stop();
}

/** Takes a screenshot of each example's canvas. @returns their paths */
async function canvasPictures(page: Page, n8nUrl: string): Promise<string[]> {
	const paths: string[] = [];
	for (const { id, file } of [mainExample, ...otherExamples]) {
		await page.goto(`${n8nUrl}/workflow/${id}`);
		await page.locator('[data-test-id="canvas-node"]').last().waitFor();
		await page.waitForLoadState('networkidle');
		const path = join(root, 'docs', 'images', 'examples', file.replace(/json$/, 'png'));
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
