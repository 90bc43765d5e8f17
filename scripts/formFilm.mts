import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp, { type OverlayOptions } from 'sharp';
import type { N8nSession } from './host/N8nSession.mjs';
import { openPage } from './host/openEditor.mjs';
import { cache, root } from './tools/checkout.mjs';

const WIDTH = 840;
const HEIGHT = 600;
/** The editor needs more room than the form; its frames are made smaller. */
const EDITOR_SCALE = 1.4;
const THUMBNAIL = 96;
/** Room around the nodes, for their names. */
const MARGIN = 30;

/** Where the photos are dragged from. */
const START = { x: 90, y: 480 };

const workflowId = 'productPhotosForm';
const file = join(root, 'docs', 'images', 'form.gif');

/** One picture of the film. */
interface Frame {
	picture: Buffer;
	/** How long it is shown, in milliseconds. */
	ms: number;
}

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/**
 * Films how photos are dropped on the form of an example, and what comes of it in the editor.
 * @returns the path of the film
 */
export async function formFilm(editor: Page, session: N8nSession): Promise<string> {
	await publish(session);
	const photos = await photosToDrop();
	const form = await openPage(session.url);
	await form.setViewportSize({ width: WIDTH, height: HEIGHT });
	const frames = [
		...(await filmForm(form, session.url, photos)),
		...(await filmRun(editor, session)),
	];
	await form.context().browser()?.close();
	const pictures = frames.map(({ picture }) => picture);
	await sharp(pictures, { join: { animated: true } })
		.gif({ delay: frames.map(({ ms }) => ms), loop: 0, colours: 96, effort: 10 })
		.toFile(file);
	return file;
}

/** The form answers people only while its workflow is published. */
async function publish(session: N8nSession): Promise<void> {
	const { versionId } = (await session.get(`/workflows/${workflowId}`)) as { versionId: string };
	await session.post(`/workflows/${workflowId}/activate`, { versionId });
}

/** Three photos of the one that ships: as it is, its head, and mirrored. */
async function photosToDrop(): Promise<string[]> {
	const folder = join(cache, 'film');
	mkdirSync(folder, { recursive: true });
	const photo = sharp(join(root, 'examples', 'photos', 'astronaut.jpg'));
	const { width, height } = await photo.metadata();
	const head = { left: Math.round(width * 0.2), top: 0, width: Math.round(width * 0.6), height };
	const variants = [photo.clone(), photo.clone().extract(head), photo.clone().flop()];
	return await Promise.all(
		variants.map(async (variant, index) => {
			const path = join(folder, `IMG_${index + 1}.jpg`);
			writeFileSync(path, await variant.jpeg().toBuffer());
			return path;
		}),
	);
}

async function filmForm(page: Page, n8nUrl: string, photos: readonly string[]): Promise<Frame[]> {
	const frames: Frame[] = [];
	const shoot = async (ms: number, ...overlays: OverlayOptions[]) => {
		const picture = await page.screenshot({ animations: 'disabled', scale: 'css' });
		frames.push({ picture: await sharp(picture).composite(overlays).png().toBuffer(), ms });
	};
	await page.goto(`${n8nUrl}/form/product-photos`);
	await page.getByPlaceholder('Red bicycle').waitFor();
	await shoot(900);
	await page.getByPlaceholder('Red bicycle').fill('Space suit');
	await shoot(800);

	// What a person drags is drawn by their desktop and stands in no screenshot of the page.
	const { x, y } = await centreOf(page, 'input[type="file"]');
	const dragged = await Promise.all(photos.map(thumbnail));
	for (const share of [0, 0.4, 0.75, 1]) {
		const left = Math.round(START.x + (x - START.x) * share);
		const top = Math.round(START.y + (y - START.y) * share);
		await shoot(share === 1 ? 400 : 220, ...stackAt(left, top, dragged));
	}
	await drop(page, x, y, photos);
	const dropped = `document.querySelector('input[type="file"]').files.length === ${photos.length}`;
	await page.waitForFunction(dropped);
	await shoot(1200);

	const download = page.waitForEvent('download', { timeout: 60_000 });
	await page.click('#submit-btn');
	await download;
	await page.getByText('Your download has started').waitFor();
	await shoot(1800);
	return frames;
}

/** The finished run in the editor: its canvas, then what the node gave out. */
async function filmRun(page: Page, session: N8nSession): Promise<Frame[]> {
	const frames: Frame[] = [];
	const shoot = async (ms: number, clip?: Box) => {
		const picture = await page.screenshot({ animations: 'disabled', ...(clip && { clip }) });
		const small = sharp(picture).resize(WIDTH, HEIGHT, { kernel: 'lanczos3' });
		frames.push({ picture: await small.png().toBuffer(), ms });
	};
	const before = page.viewportSize();
	await page.setViewportSize({
		width: Math.round(WIDTH * EDITOR_SCALE),
		height: Math.round(HEIGHT * EDITOR_SCALE),
	});
	const filter = new URLSearchParams({ filter: JSON.stringify({ workflowId }) });
	const { results } = (await session.get(`/executions?${filter.toString()}`)) as {
		results: { id: string }[];
	};
	await page.goto(`${session.url}/workflow/${workflowId}/executions/${results[0]?.id ?? ''}`);
	const node = page.locator('[data-test-id="canvas-node"][data-node-name="Remove Background"]');
	await node.waitFor();
	await page.waitForLoadState('networkidle');
	await shoot(1800, await aroundNodes(page));
	await node.dblclick();
	const output = page.locator('[data-test-id="output-panel"]');
	await output.getByText('3 images were bought.').waitFor();
	await page.getByText('Loading fields').waitFor({ state: 'detached' });
	await shoot(1800);
	await output.locator('[data-test-id="ndv-view-binary-data"]').first().click();
	await output.locator('img[src*="binary-data"]').waitFor();
	await page.waitForLoadState('networkidle');
	await shoot(2500);
	if (before !== null) await page.setViewportSize(before);
	return frames;
}

/** The part of the page with all nodes in it, in the shape of a frame. */
async function aroundNodes(page: Page): Promise<Box> {
	const nodes = await page.locator('[data-test-id="canvas-node"]').all();
	const boxes = (await Promise.all(nodes.map(async (node) => await node.boundingBox()))).filter(
		(box) => box !== null,
	);
	const left = Math.min(...boxes.map(({ x }) => x)) - MARGIN;
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + MARGIN;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + MARGIN;
	const width = right - left;
	const height = (width * HEIGHT) / WIDTH;
	return { x: left, y: Math.max(0, bottom - height), width, height };
}

async function centreOf(page: Page, selector: string): Promise<{ x: number; y: number }> {
	const box = await page.locator(selector).boundingBox();
	if (box === null) throw new Error(`The form shows no ${selector}`);
	return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
}

/** Drops files as the desktop does: Chromium itself hands them to the page. */
async function drop(page: Page, x: number, y: number, files: readonly string[]): Promise<void> {
	const chromium = await page.context().newCDPSession(page);
	const data = { items: [], files: [...files], dragOperationsMask: 1 };
	for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
		await chromium.send('Input.dispatchDragEvent', { type, x, y, data });
	}
	await chromium.detach();
}

async function thumbnail(photo: string): Promise<Buffer> {
	return await sharp(photo)
		.resize(THUMBNAIL, THUMBNAIL, { fit: 'cover' })
		.extend({ top: 2, right: 2, bottom: 2, left: 2, background: 'white' })
		.png()
		.toBuffer();
}

/** Pictures that overlap, with the middle of the stack at a point. */
function stackAt(x: number, y: number, pictures: readonly Buffer[]): OverlayOptions[] {
	return pictures.map((input, index) => ({
		input,
		left: Math.round(x + (index - 1) * 28 - THUMBNAIL / 2),
		top: Math.round(y + (index - 1) * 14 - THUMBNAIL / 2),
	}));
}
