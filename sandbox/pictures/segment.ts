import { barrierOf } from './barrier';
import type { Picture } from './decode';
import { planesOf, type Planes } from './planes';

const rounds = 40;

/**
 * Returns the probability (0 to 1) that each pixel of a small RGB picture belongs to the subject. Pixels that the frame
 * reaches without crossing an edge are background, except from its lower part, which portraits
 * touch. Then similar neighbours influence each other (mean field).
 */
export function segment(thumbnail: Picture): Float32Array {
	const picture = planesOf(thumbnail);
	const barrier = barrierOf(picture);
	const threshold = otsu(barrier);
	const prior = priorOf(picture);
	const odds = prior.map((place, pixel) => {
		const apart = ((barrier[pixel] ?? 0) - threshold) / (0.35 * threshold + 0.02);
		return Math.max(-2, Math.min(2, 1.5 * apart)) + 1.5 * place;
	});
	return relax(odds, linksOf(picture), picture.width);
}

/** Returns the threshold that best splits the values in two (Otsu's method, 64 steps). */
function otsu(field: Float32Array): number {
	const bins = new Float64Array(64);
	const most = field.reduce((high, value) => Math.max(high, value), 1e-6);
	for (const value of field) {
		const bin = Math.min(63, Math.floor((value / most) * 64));
		bins[bin] = (bins[bin] ?? 0) + 1;
	}
	const total = bins.reduce((sum, size, bin) => sum + size * bin, 0);
	let best = -1;
	let split = 0;
	let below = 0;
	let belowSum = 0;
	for (let bin = 0; bin < 63; bin++) {
		below += bins[bin] ?? 0;
		belowSum += bin * (bins[bin] ?? 0);
		const above = field.length - below;
		if (below === 0 || above === 0) continue;
		const between = below * above * (belowSum / below - (total - belowSum) / above) ** 2;
		if (between > best) {
			best = between;
			split = bin;
		}
	}
	return ((split + 1) / 64) * most;
}

/** Log odds from the position alone: higher in the middle and below it, lower near the frame. */
function priorOf({ width, height }: Planes): Float32Array {
	return Float32Array.from({ length: width * height }, (_, pixel) => {
		const x = ((pixel % width) + 0.5) / width;
		const y = (Math.floor(pixel / width) + 0.5) / height;
		const aside = Math.abs(x - 0.5) / (0.24 + 0.2 * y);
		const above = Math.max(0, 0.56 - y) / 0.7;
		return Math.max(-1.6, Math.min(1.2, 1.6 * (1 - Math.hypot(aside, above))));
	});
}

/** How strongly each pixel is linked to its right neighbour and to the one below. */
function linksOf({ planes, width, height }: Planes): [Float32Array, Float32Array] {
	const linkAt = (step: number) =>
		Float32Array.from({ length: width * height }, (_, pixel) => {
			if (pixel + step >= width * height) return 0;
			if (step === 1 && pixel % width === width - 1) return 0;
			let distance = 0;
			for (const plane of planes)
				distance += ((plane[pixel] ?? 0) - (plane[pixel + step] ?? 0)) ** 2;
			return 1.5 * Math.exp(-distance * 100) + 0.2;
		});
	return [linkAt(1), linkAt(width)];
}

function relax(
	odds: Float32Array,
	[right, below]: [Float32Array, Float32Array],
	width: number,
): Float32Array {
	const side = odds.map((own) => 2 * sigmoid(own) - 1);
	for (let round = 0; round < rounds; round++) {
		for (let pixel = 0; pixel < side.length; pixel++) {
			const pull =
				(odds[pixel] ?? 0) +
				(right[pixel] ?? 0) * (side[pixel + 1] ?? 0) +
				(below[pixel] ?? 0) * (side[pixel + width] ?? 0) +
				(right[pixel - 1] ?? 0) * (side[pixel - 1] ?? 0) +
				(below[pixel - width] ?? 0) * (side[pixel - width] ?? 0);
			side[pixel] = 2 * sigmoid(pull) - 1;
		}
	}
	return side.map((share) => (share + 1) / 2);
}

function sigmoid(odds: number): number {
	return 1 / (1 + Math.exp(-odds));
}
