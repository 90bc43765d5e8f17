/** For each pixel, row by row, the probability (0 to 1) that it belongs to the subject. */
export interface Mask {
	values: Float32Array;
	width: number;
	height: number;
}

/**
 * Fills holes and gaps in the subject that are not connected to the frame, and drops specks (pieces
 * smaller than a fifth of the largest).
 */
export function cleanMask(mask: Mask): Float32Array {
	const solid = Uint8Array.from(mask.values, (share) => (share > 0.5 ? 1 : 0));
	const closed = grow(grow(solid, mask, 2, 1), mask, 2, 0);
	const outside = floodFromFrame(closed, mask);
	const whole = Uint8Array.from(solid, (value, pixel) => (value || !outside[pixel] ? 1 : 0));
	const kept = largePieces(whole, mask);
	return mask.values.map((share, pixel) => {
		if (kept[pixel] !== 1) {
			const near = neighbours(pixel, mask.width, mask.height).some((other) => kept[other] === 1);
			return near ? Math.min(share, 0.3) : 0;
		}
		return solid[pixel] === 1 ? share : 1;
	});
}

/** Grows the areas of one value by a number of steps in all four directions. */
function grow(from: Uint8Array, { width, height }: Mask, steps: number, value: 0 | 1): Uint8Array {
	let pixels = from;
	for (let step = 0; step < steps; step++) {
		const before = pixels;
		pixels = before.map((own, pixel) =>
			neighbours(pixel, width, height).some((other) => before[other] === value) ? value : own,
		);
	}
	return pixels;
}

function floodFromFrame(solid: Uint8Array, { width, height }: Mask): Uint8Array {
	const reached = new Uint8Array(solid.length);
	const frame = solid.reduce<number[]>((seeds, value, pixel) => {
		const x = pixel % width;
		const y = Math.floor(pixel / width);
		const outer = x === 0 || y === 0 || x === width - 1 || y === height - 1;
		if (outer && value === 0) seeds.push(pixel);
		return seeds;
	}, []);
	fill(frame, solid, 0, { width, height }, (pixel) => {
		if (reached[pixel] === 1) return false;
		reached[pixel] = 1;
		return true;
	});
	return reached;
}

function largePieces(solid: Uint8Array, { width, height }: Mask): Uint8Array {
	const piece = new Uint16Array(solid.length);
	const sizes = [0];
	solid.forEach((value, start) => {
		if (value === 0 || piece[start] !== 0) return;
		const number = sizes.length;
		sizes.push(0);
		fill([start], solid, 1, { width, height }, (pixel) => {
			if (piece[pixel] !== 0) return false;
			piece[pixel] = number;
			sizes[number] = (sizes[number] ?? 0) + 1;
			return true;
		});
	});
	const enough = Math.max(...sizes) / 5;
	return solid.map((value, pixel) =>
		value === 1 && (sizes[piece[pixel] ?? 0] ?? 0) >= enough ? 1 : 0,
	);
}

function fill(
	seeds: number[],
	pixels: Uint8Array,
	value: 0 | 1,
	{ width, height }: Pick<Mask, 'width' | 'height'>,
	take: (pixel: number) => boolean,
): void {
	const open = seeds.filter(take);
	while (open.length > 0) {
		const pixel = open.pop() ?? 0;
		for (const next of neighbours(pixel, width, height)) {
			if (pixels[next] === value && take(next)) open.push(next);
		}
	}
}

function neighbours(pixel: number, width: number, height: number): number[] {
	const x = pixel % width;
	const found: number[] = [];
	if (x > 0) found.push(pixel - 1);
	if (x < width - 1) found.push(pixel + 1);
	if (pixel >= width) found.push(pixel - width);
	if (pixel < width * (height - 1)) found.push(pixel + width);
	return found;
}
