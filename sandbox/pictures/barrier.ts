import type { Planes } from './planes';

/**
 * Computes the minimum barrier distance from each pixel to the frame: the range of colours along
 * the path where it is smallest. Uses the raster scans of Zhang et al., "Minimum Barrier Salient
 * Object Detection at 80 FPS" (ICCV 2015). The lower edge and the lowest part of the sides do not
 * count as frame, because portraits extend past them.
 */
export function barrierOf({ planes, width, height }: Planes): Float32Array {
	const sum = new Float32Array(width * height);
	for (const plane of planes) {
		const weight = plane === planes[0] ? 0.7 : 1.3;
		const distance = scan(plane, width, height);
		for (let pixel = 0; pixel < sum.length; pixel++) {
			sum[pixel] = (sum[pixel] ?? 0) + weight * (distance[pixel] ?? 0);
		}
	}
	return sum;
}

function scan(plane: Float32Array, width: number, height: number): Float32Array {
	const distance = new Float32Array(plane.length).fill(Infinity);
	const high = plane.slice();
	const low = plane.slice();
	for (let pixel = 0; pixel < plane.length; pixel++) {
		const x = pixel % width;
		const y = Math.floor(pixel / width);
		const frame = y < 1 || ((x < 1 || x >= width - 1) && y < height * 0.92);
		if (frame) distance[pixel] = 0;
	}
	const reach = (pixel: number, from: number) => {
		const value = plane[pixel] ?? 0;
		const top = Math.max(high[from] ?? 0, value);
		const bottom = Math.min(low[from] ?? 0, value);
		if (top - bottom >= (distance[pixel] ?? 0)) return;
		distance[pixel] = top - bottom;
		high[pixel] = top;
		low[pixel] = bottom;
	};
	for (let round = 0; round < 4; round++) {
		const forward = round % 2 === 0;
		const step = forward ? 1 : -1;
		for (let count = 0; count < plane.length; count++) {
			const pixel = forward ? count : plane.length - 1 - count;
			const x = pixel % width;
			if (forward ? x > 0 : x < width - 1) reach(pixel, pixel - step);
			const row = pixel - step * width;
			if (row >= 0 && row < plane.length) reach(pixel, row);
		}
	}
	return distance;
}
