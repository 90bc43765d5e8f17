import type { Planes } from './segment';

const side = 7;
const count = side * side;
const rounds = 4;
/** Weight of the position relative to the colour. */
const positionWeight = 0.22;

/** Assigns each pixel to a group of similar colour and position (k-means from a grid of seeds). */
export function groupPixels(picture: Planes): { group: Uint8Array; count: number } {
	const { width, height } = picture;
	const pixels = width * height;
	const features = [
		...picture.planes,
		Float32Array.from({ length: pixels }, (_, pixel) => ((pixel % width) / width) * positionWeight),
		Float32Array.from({ length: pixels }, (_, pixel) => (pixel / pixels) * positionWeight),
	];
	const seeds = Array.from({ length: count }, (_, index) => {
		const row = Math.floor(((Math.floor(index / side) + 0.5) / side) * height);
		return row * width + Math.floor((((index % side) + 0.5) / side) * width);
	});
	const centres = features.map((plane) => Float32Array.from(seeds, (pixel) => plane[pixel] ?? 0));
	const group = new Uint8Array(pixels);
	for (let round = 0; round < rounds; round++) {
		assign(features, centres, group);
		if (round < rounds - 1) move(features, centres, group);
	}
	return { group, count };
}

function assign(features: Float32Array[], centres: Float32Array[], group: Uint8Array): void {
	const distance = new Float32Array(count);
	for (let pixel = 0; pixel < group.length; pixel++) {
		distance.fill(0);
		features.forEach((plane, feature) => add(distance, plane[pixel] ?? 0, centres[feature]));
		let best = 0;
		for (let index = 1; index < count; index++) {
			if ((distance[index] ?? 0) < (distance[best] ?? 0)) best = index;
		}
		group[pixel] = best;
	}
}

function add(distance: Float32Array, value: number, centre: Float32Array | undefined): void {
	if (!centre) return;
	for (let index = 0; index < count; index++) {
		const gap = value - (centre[index] ?? 0);
		distance[index] = (distance[index] ?? 0) + gap * gap;
	}
}

function move(features: Float32Array[], centres: Float32Array[], group: Uint8Array): void {
	const sizes = new Float64Array(count);
	for (const index of group) sizes[index] = (sizes[index] ?? 0) + 1;
	features.forEach((plane, feature) => {
		const sums = new Float64Array(count);
		group.forEach((index, pixel) => {
			sums[index] = (sums[index] ?? 0) + (plane[pixel] ?? 0);
		});
		const centre = centres[feature];
		sums.forEach((sum, index) => {
			if (centre && (sizes[index] ?? 0) > 0) centre[index] = sum / (sizes[index] ?? 0);
		});
	});
}
