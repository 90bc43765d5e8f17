/** Bytes in which every type but SVG is found. */
const START_BYTES = 64;

/**
 * Whether an image is of a type.
 * @param head the first bytes
 * @param start the start of them, in Latin-1
 */
export type FirstBytes = (head: Uint8Array, start: string) => boolean;

/** The part of the first bytes in which every type but SVG is found, in Latin-1. */
export function startOf(head: Uint8Array): string {
	return Buffer.from(head.subarray(0, START_BYTES)).toString('latin1');
}

/** Matches the first bytes, written as Latin-1. */
export function begins(pattern: string): FirstBytes {
	const beginning = new RegExp(`^(?:${pattern})`, 's');
	return (_head, start) => beginning.test(start);
}

/** Types that name what they contain by brands: a main one, then compatible ones until the box ends. */
export function hasBrand(brand: string): FirstBytes {
	const main = new RegExp(`^....ftyp(?:${brand})`, 's');
	const compatible = new RegExp(`^....ftyp.{8}(?:.{4})*?(?:${brand})`, 's');
	return (head, start) => {
		if (main.test(start)) return true;
		const [brands] = compatible.exec(start) ?? [];
		if (brands === undefined) return false;
		const boxBytes = new DataView(head.buffer, head.byteOffset).getUint32(0);
		return brands.length <= boxBytes;
	};
}
