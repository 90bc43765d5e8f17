/** A decoded image: raw RGB pixels, 3 bytes each. */
export interface Pixels {
	data: Buffer;
	width: number;
	height: number;
}

/**
 * Guesses which pixels of a small picture belong to its subject: those that a path from the frame
 * reaches only across strong edges, rather in the middle than at the side.
 *
 * @returns for each pixel 255 or 0
 */
export function findSubject({ data, width, height }: Pixels): Buffer {
	const distances = planesOf(data).map((plane) => barrier(plane, width, height));
	const [light = [], warm = [], cold = []] = distances;
	const apart = Float32Array.from(light, (own, pixel) => {
		return 0.7 * own + 1.3 * ((warm[pixel] ?? 0) + (cold[pixel] ?? 0));
	});
	const average = apart.reduce((sum, value) => sum + value, 0) / apart.length;
	return Buffer.from(
		apart.map((own, pixel) => {
			const byEdges = (own - average) / (0.35 * average + 0.02);
			const limited = Math.max(-2, Math.min(2, byEdges));
			return limited + 1.5 * middle(pixel, width, height) > 0 ? 255 : 0;
		}),
	);
}

/** Lightness and two colour differences of each pixel, each about 0 to 1. */
function planesOf(data: Buffer): Float32Array[] {
	const count = data.length / 3;
	const channel = (at: number) =>
		Float32Array.from({ length: count }, (_, pixel) => (data[pixel * 3 + at] ?? 0) / 255);
	const [red, green, blue] = [channel(0), channel(1), channel(2)];
	const light = red.map(
		(own, pixel) => 0.299 * own + 0.587 * (green[pixel] ?? 0) + 0.114 * (blue[pixel] ?? 0),
	);
	const difference = (colour: Float32Array) =>
		colour.map((own, pixel) => own - (light[pixel] ?? 0));
	return [light, difference(red), difference(blue)];
}

/**
 * The minimum barrier distance from each pixel to the frame: the range of values along the path where
 * it is smallest, by the raster scans of Zhang et al., "Minimum Barrier Salient Object Detection at 80
 * FPS" (ICCV 2015). The lower edge and the lowest part of the sides do not count as frame, because
 * portraits extend past them.
 */
function barrier(plane: Float32Array, width: number, height: number): Float32Array {
	const isFrame = (x: number, y: number) =>
		y < 1 || ((x < 1 || x >= width - 1) && y < height * 0.92);
	const distance = plane.map((_, pixel) =>
		isFrame(pixel % width, Math.floor(pixel / width)) ? 0 : Infinity,
	);
	const high = plane.slice();
	const low = plane.slice();
	const reach = (pixel: number, from: number) => {
		const value = plane[pixel] ?? 0;
		const top = Math.max(high[from] ?? 0, value);
		const bottom = Math.min(low[from] ?? 0, value);
		if (top - bottom >= (distance[pixel] ?? 0)) return;
		distance[pixel] = top - bottom;
		high[pixel] = top;
		low[pixel] = bottom;
	};
	for (let round = 0; round < 2; round++) {
		for (let pixel = 0; pixel < plane.length; pixel++) {
			if (pixel % width > 0) reach(pixel, pixel - 1);
			if (pixel >= width) reach(pixel, pixel - width);
		}
		for (let pixel = plane.length - 1; pixel >= 0; pixel--) {
			if (pixel % width < width - 1) reach(pixel, pixel + 1);
			if (pixel + width < plane.length) reach(pixel, pixel + width);
		}
	}
	return distance;
}

/** How central a place is, -1.6 to 1.2: highest in the middle and below it, lowest near the frame. */
function middle(pixel: number, width: number, height: number): number {
	const x = ((pixel % width) + 0.5) / width;
	const y = (Math.floor(pixel / width) + 0.5) / height;
	const aside = Math.abs(x - 0.5) / (0.24 + 0.2 * y);
	const above = Math.max(0, 0.56 - y) / 0.7;
	return Math.max(-1.6, Math.min(1.2, 1.6 * (1 - Math.hypot(aside, above))));
}
