import type { Locator } from 'playwright-core';
import { until } from './until.mjs';

/** The properties of an image element; this project has no browser types. */
interface Picture {
	complete: boolean;
	naturalWidth: number;
}

/** Waits until an image is loaded. @returns its width in pixels */
export async function loadedWidth(image: Locator): Promise<number> {
	let width = 0;
	await until('the image is loaded', async () => {
		width = await image.evaluate(({ complete, naturalWidth }: Picture) =>
			complete ? naturalWidth : 0,
		);
		return width > 0;
	});
	return width;
}
