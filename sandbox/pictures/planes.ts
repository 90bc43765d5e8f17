import type { Picture } from './decode';

/** Lightness and two colour differences of each pixel, each about 0 to 1. */
export interface Planes {
	width: number;
	height: number;
	planes: readonly [Float32Array, Float32Array, Float32Array];
}

/** Splits an RGB picture. */
export function planesOf({ data, width, height }: Picture): Planes {
	const count = width * height;
	const light = new Float32Array(count);
	const warm = new Float32Array(count);
	const cold = new Float32Array(count);
	for (let pixel = 0; pixel < count; pixel++) {
		const red = (data[pixel * 3] ?? 0) / 255;
		const green = (data[pixel * 3 + 1] ?? 0) / 255;
		const blue = (data[pixel * 3 + 2] ?? 0) / 255;
		const bright = 0.299 * red + 0.587 * green + 0.114 * blue;
		light[pixel] = bright;
		warm[pixel] = red - bright;
		cold[pixel] = blue - bright;
	}
	return { width, height, planes: [light, warm, cold] };
}
